#include "analyzer/discovery/includes.h"

namespace placecheck::discovery {

std::vector<Include> scan_includes(llvm::StringRef text) {
  std::vector<Include> includes;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line = line.ltrim(" \t");
    if (!line.consume_front("#")) continue;
    line = line.ltrim(" \t");
    if (!line.consume_front("include") && !line.consume_front("import")) continue;
    line.consume_front("_next");
    line = line.ltrim(" \t");
    const bool quoted = line.consume_front("\"");
    if (!quoted && !line.consume_front("<")) continue;
    const size_t end = line.find(quoted ? '"' : '>');
    if (end == llvm::StringRef::npos || end == 0) continue;
    includes.push_back({line.take_front(end).str(), quoted});
  }
  return includes;
}

}  // namespace placecheck::discovery
