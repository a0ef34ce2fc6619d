#include "analyzer/discovery/importers.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Path.h"

namespace placecheck::discovery {
namespace {

namespace path = llvm::sys::path;

// The name before ` as `, without what surrounds it.
llvm::StringRef bare(llvm::StringRef name) {
  name = name.trim(" \t\r\\()");
  return name.take_until([](char c) { return c == ' ' || c == '\t' || c == '#'; });
}

void add_names(llvm::StringRef list, llvm::StringRef prefix, std::vector<std::string>& names) {
  llvm::SmallVector<llvm::StringRef> parts;
  list.take_until([](char c) { return c == '#' || c == ';'; }).split(parts, ',');
  for (llvm::StringRef part : parts) {
    llvm::StringRef name = bare(part);
    if (name.empty()) continue;
    const bool needs_dot = !prefix.empty() && !prefix.ends_with(".");
    names.push_back((prefix + (needs_dot ? "." : "") + name).str());
  }
}

}  // namespace

std::vector<std::string> scan_imports(llvm::StringRef text) {
  std::vector<std::string> names;
  llvm::StringRef open;  // the module of a list in parentheses that goes on
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    llvm::StringRef words = line.ltrim();
    if (!open.empty()) {
      add_names(words, open, names);
      if (words.contains(')')) open = {};
    } else if (words.consume_front("import ")) {
      add_names(words, "", names);
    } else if (words.consume_front("from ")) {
      auto [module, list] = words.split(" import");
      module = module.trim();
      if (list.empty() || module.contains(' ')) continue;
      names.push_back(module.str());
      add_names(list, module, names);
      if (list.contains('(') && !list.contains(')')) open = module;
    }
  }
  return names;
}

std::vector<std::string> module_files(llvm::StringRef name, llvm::StringRef importer) {
  std::vector<std::string> files;
  size_t dots = name.find_first_not_of('.');
  if (dots == llvm::StringRef::npos) dots = name.size();
  std::string relative = name.drop_front(dots).str();
  for (char& c : relative) c = c == '.' ? '/' : c;
  llvm::StringRef folder = path::parent_path(importer);
  for (size_t up = 1; up < dots; ++up) folder = path::parent_path(folder);
  for (; !folder.empty(); folder = path::parent_path(folder)) {
    const std::string base = folder.str() + (relative.empty() ? "" : "/" + relative);
    if (!relative.empty()) files.push_back(base + ".py");
    files.push_back(base + "/__init__.py");
    if (dots > 0) break;
  }
  return files;
}

bool starts_program(llvm::StringRef text) {
  return text.contains("__name__ == \"__main__\"") || text.contains("__name__ == '__main__'");
}

}  // namespace placecheck::discovery
