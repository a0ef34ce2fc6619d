// What the names of a Python project stand for: modules found on disk, and what each defines.
//
// A file is lowered by itself, so that what it imports is looked at only for the names that it
// defines at its top level. Files are read through the file system given, which may take down what
// was read and what was looked for in vain. A name that is bound more than once, or in a way that
// is not followed, is a variable of its module. Ownership: values; a Project owns what it has read.
// Threads: one at a time. Errors: none; what cannot be read defines nothing.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/frontend/python/syntax.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace placecheck::frontend::python {

// What a name means.
struct Target {
  enum class Kind : uint8_t {
    kUnknown,
    kModule,    // a file of the project: `name` is its path
    kLibrary,   // outside of the project: `name` is its dotted name
    kFunction,  // of the project: `name` is its key
    kClass,     // of the project: `name` is its key
    kVariable,  // of a module of the project: `name` is its slot
  };
  Kind kind = Kind::kUnknown;
  std::string name;

  bool is(Kind k) const { return kind == k; }
  friend bool operator==(const Target&, const Target&) = default;
};

// A class as far as its bases go.
struct ClassInfo {
  std::string key;
  std::vector<Target> bases;
  bool is_module = false;         // derives from torch.nn.Module
  bool has_unknown_base = false;  // somewhere above it
};

class Project {
 public:
  using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;
  explicit Project(FileSystem files) : files_(std::move(files)) {}

  // The file of `dotted`, imported by the file `from`; `level` dots stand before it.
  std::optional<std::string> find_module(const std::string& from, size_t level,
                                         std::string_view dotted);
  // What a name at the top level of a module stands for.
  Target resolve(const std::string& module, const std::string& name);
  // What the module's own code means by an imported name in that line, if the module binds the name
  // to something else further down; nothing for other names and lines.
  std::optional<Target> meant_by_import(const std::string& module, const std::string& name,
                                        uint32_t line);
  // What a name stands for that nothing seen binds: a library's, of which it is known only that it
  // is the same each time.
  Target unbound(const std::string& module, const std::string& name);
  // A member of what a name stands for.
  Target member(const Target& target, const std::string& name);
  // What `import dotted` binds `dotted` to: a module of the project, or a library's.
  Target imported(const std::string& from, size_t level, std::string_view dotted);
  // Every name that `from module import *` brings.
  std::vector<std::string> names_of(const std::string& module);
  // Those, and the ones that the module itself has imported so.
  std::set<std::string> all_names_of(const std::string& module);
  ClassInfo class_info(const std::string& key);
  // The source of a file, or why there is none.
  llvm::Expected<Source> read(const std::string& path);

 private:
  struct Binding {
    Target::Kind kind = Target::Kind::kVariable;
    std::string from;  // of an import: the dotted module
    size_t level = 0;
    std::string name;  // of an import: the name in it; empty: the module itself
    std::vector<std::string> bases;
    std::vector<std::string> decorators;  // of a function, as written, without their arguments
    unsigned count = 0;
    unsigned seen = 0;  // the count behind the last statement of the module
  };
  struct Module {
    std::map<std::string, Binding> names;
    // The imported names that a statement binds anew, with the last line in which they mean what
    // was imported: `model = model.Net()`.
    std::map<std::string, uint32_t> rebound;
    std::vector<std::string> imports;                   // the names that an import binds first
    std::vector<std::pair<std::string, size_t>> stars;  // modules all of whose names are imported
    std::vector<std::string> added_to_path;             // folders, from the file's or one above it
  };

  const Module& module(const std::string& path);
  void collect(const Node& block, Module& module, int depth);
  void note_rebound(const Node& statement, Module& module);
  void bind(Module& module, const std::string& name, const Binding& binding);
  void bind_pattern(Module& module, const Node& pattern);
  void bind_globals(Module& module, const Node& definition);
  Target resolve(const std::string& module, const std::string& name, int depth);
  bool replaces_function(const std::string& module, const std::string& written, int depth);
  Target target_of(const std::string& module, const std::string& name, const Binding& binding,
                   int depth);
  Target resolve_dotted(const std::string& module, const std::string& dotted);
  ClassInfo class_info(const std::string& key, int depth);

  FileSystem files_;
  std::map<std::string, std::unique_ptr<Module>> modules_;
  std::map<std::string, std::optional<std::string>> found_;
};

// Keys and slots. A path may hold any character but the one behind which the name begins.
std::string key_of(const std::string& path, const std::string& name);
std::string slot_of(const std::string& path, const std::string& name);
std::string path_of(const std::string& key);

// The module and the level of dots of the `from` part of an import.
std::pair<std::string, size_t> origin_of(const Node& import);

}  // namespace placecheck::frontend::python
