// Python files of a project that import others: by their `import` lines alone.
//
// Ownership: values. Threads: no shared state. Errors: none; an unreadable file imports nothing.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace placecheck::discovery {

// One imported name: "a.b" of `import a.b`, and of `from a import b`, which may be a module or
// something in one. Leading dots are kept.
std::vector<std::string> scan_imports(llvm::StringRef text);

// The files that hold a module called so where `importer` imports it, in the order in which they
// are to be tried: "a/b.py", "a/b/__init__.py", "a.py", "a/__init__.py", in the folder of
// `importer` and those above it; with leading dots in one folder alone.
std::vector<std::string> module_files(llvm::StringRef name, llvm::StringRef importer);

// Whether a program starts in the text: `if __name__ == "__main__"`.
bool starts_program(llvm::StringRef text);

}  // namespace placecheck::discovery
