#include "analyzer/discovery/includes.h"

namespace placecheck::discovery {

namespace {

// How many conditions are open, behind the include guard of the file.
class Conditions {
 public:
  void read(llvm::StringRef directive) {
    const bool is_guard =
        is_first_ && (directive.starts_with("ifndef") || directive.starts_with("if !defined"));
    is_first_ = is_first_ && directive.starts_with("pragma");
    if (directive.starts_with("if") && !is_guard) ++open_;
    if (directive.starts_with("endif") && open_ > 0) --open_;
  }

  bool is_open() const { return open_ > 0; }

 private:
  bool is_first_ = true;
  unsigned open_ = 0;
};

}  // namespace

std::vector<Include> scan_includes(llvm::StringRef text) {
  std::vector<Include> includes;
  Conditions conditions;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line = line.ltrim(" \t");
    if (!line.consume_front("#")) continue;
    line = line.ltrim(" \t");
    conditions.read(line);
    if (!line.consume_front("include") && !line.consume_front("import")) continue;
    line.consume_front("_next");
    line = line.ltrim(" \t");
    const bool quoted = line.consume_front("\"");
    if (!quoted && !line.consume_front("<")) continue;
    const size_t end = line.find(quoted ? '"' : '>');
    if (end == llvm::StringRef::npos || end == 0) continue;
    includes.push_back({line.take_front(end).str(), quoted, conditions.is_open()});
  }
  return includes;
}

}  // namespace placecheck::discovery
