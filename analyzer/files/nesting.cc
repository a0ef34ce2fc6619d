#include "analyzer/files/nesting.h"

#include <algorithm>

namespace placecheck::files {

size_t json_nesting(llvm::StringRef text) {
  size_t depth = 0;
  size_t deepest = 0;
  bool is_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (is_string) {
      if (c == '\\') ++i;
      is_string = c != '"';
    } else if (c == '"') {
      is_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

size_t yaml_nesting(llvm::StringRef text) {
  size_t brackets = 0;
  size_t deepest = 0;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    llvm::StringRef content = line.ltrim(" \t");
    // Blocks nest by columns, and on one line by indicators.
    size_t blocks = line.size() - content.size();
    while (content.starts_with("- ") || content.starts_with("? ") || content.starts_with(": ")) {
      ++blocks;
      content = content.drop_front(2).ltrim(" \t");
    }
    for (char c : content) {
      if (c == '[' || c == '{') ++brackets;
      if ((c == ']' || c == '}') && brackets > 0) --brackets;
      deepest = std::max(deepest, blocks + brackets);
    }
    deepest = std::max(deepest, blocks + brackets);
  }
  return deepest;
}

}  // namespace placecheck::files
