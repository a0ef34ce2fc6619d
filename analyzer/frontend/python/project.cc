#include "analyzer/frontend/python/project.h"

#include <algorithm>
#include <set>

#include "analyzer/files/regular_file.h"
#include "analyzer/frontend/python/scope.h"
#include "analyzer/models/libraries/python_names.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace placecheck::frontend::python {
namespace {

namespace path = llvm::sys::path;

using Kind = Target::Kind;

constexpr int kMaxHops = 12;          // from one module's name to the next
constexpr int kMaxNesting = 8;        // of conditions around definitions
constexpr int kMaxParentFolders = 6;  // in which an absolute import is looked for
// Where projects keep their packages: installed from there, or on a path that a script sets.
constexpr std::string_view kSourceFolders[] = {"src", "lib"};
constexpr char kSeparator = ':';

std::string joined(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<256> full(folder);
  if (!name.empty()) path::append(full, name);
  return std::string(full);
}

// The string literals of an argument, joined as a path: "../core" of
// `sys.path.append(os.path.join(here, "..", "core"))`.
std::string written_path(const Node& argument) {
  llvm::SmallString<64> written;
  std::vector<Node> work{argument};
  while (!work.empty()) {
    const Node next = work.back();
    work.pop_back();
    if (next.is("string_content")) path::append(written, next.text());
    const std::vector<Node> parts = next.children();
    work.insert(work.end(), parts.rbegin(), parts.rend());
  }
  return std::string(written);
}

// What a statement adds to the path on which modules are looked for; empty where it adds nothing.
std::string added_to_path(const Node& statement) {
  const Node call = statement.child("call");
  const std::string_view callee = call.field("function").text();
  if (callee != "sys.path.append" && callee != "sys.path.insert") return {};
  const std::vector<Node> arguments = call.field("arguments").children();
  return arguments.empty() ? std::string() : written_path(arguments.back());
}

bool is_import(const Node& statement) {
  return statement.is("import_statement") || statement.is("import_from_statement");
}

// An import, by the place of its statement in the block and the name that it binds.
using BoundImport = std::pair<size_t, std::string>;

// The imports of a module whose name a later import binds anew before anything reads it.
std::set<BoundImport> replaced_imports(const std::vector<Node>& statements) {
  std::set<BoundImport> replaced;
  std::map<std::string, size_t> last;
  for (size_t i = 0; i < statements.size(); ++i) {
    if (!is_import(statements[i])) continue;
    for (const Node& name : statements[i].children("name")) {
      const std::string bound(name.is("aliased_import") ? name.field("alias").text() : name.text());
      if (bound.find('.') != std::string::npos) continue;
      const auto [at, is_new] = last.try_emplace(bound, i);
      const auto reads = [&](const Node& between) {
        return !is_import(between) && names_used_in(between).count(bound) != 0;
      };
      if (!is_new && std::none_of(statements.begin() + static_cast<std::ptrdiff_t>(at->second),
                                  statements.begin() + static_cast<std::ptrdiff_t>(i), reads))
        replaced.insert({at->second, bound});
      at->second = i;
    }
  }
  return replaced;
}

}  // namespace

std::string key_of(const std::string& file, const std::string& name) {
  return file + kSeparator + name;
}
std::string slot_of(const std::string& file, const std::string& name) {
  return "@" + key_of(file, name);
}
std::string path_of(const std::string& key) { return key.substr(0, key.rfind(kSeparator)); }

std::pair<std::string, size_t> origin_of(const Node& import) {
  Node from = import.field("module_name");
  if (!from.is("relative_import")) return {std::string(from.text()), 0};
  std::string_view dots = from.child("import_prefix").text();
  auto level = static_cast<size_t>(std::count(dots.begin(), dots.end(), '.'));
  return {std::string(from.child("dotted_name").text()), level};
}

llvm::Expected<Source> Project::read(const std::string& file) {
  auto buffer = files_->getBufferForFile(file);
  if (!buffer) {
    return llvm::createStringError("the file cannot be read: " +
                                   files::why_unreadable(buffer.getError(), files::kMaxSource));
  }
  if (!files::is_notebook(file)) return Source{(*buffer)->getBuffer().str(), {}, {}};
  llvm::Expected<files::Notebook> notebook = files::read_notebook((*buffer)->getBuffer());
  if (!notebook) return notebook.takeError();
  return Source{std::move(notebook->text), std::move(notebook->positions),
                std::move(notebook->ends_of_cells)};
}

std::optional<std::string> Project::find_module(const std::string& from, size_t level,
                                                std::string_view dotted) {
  std::string relative(dotted);
  std::replace(relative.begin(), relative.end(), '.', '/');
  std::string folder = path::parent_path(from).str();
  for (size_t i = 1; i < level; ++i) folder = path::parent_path(folder).str();
  static const std::vector<std::string> kNone;
  const std::vector<std::string>& added = level == 0 ? module(from).added_to_path : kNone;
  std::string known_as = folder + '\n' + std::to_string(level != 0) + relative;
  for (const std::string& each : added) known_as += '\n' + each;
  auto [known, is_new] = found_.try_emplace(known_as);
  if (!is_new) return known->second;
  std::vector<std::string> subfolders{""};
  if (level == 0)
    subfolders.insert(subfolders.end(), std::begin(kSourceFolders), std::end(kSourceFolders));
  subfolders.insert(subfolders.end(), added.begin(), added.end());
  int folders = level == 0 ? kMaxParentFolders : 1;
  // `import math` within a package is not the package's own math.py.
  const bool names_library = level == 0 && models::is_harmless_package(dotted);
  for (int i = 0; i < folders && folder.size() > 1; ++i) {
    for (const std::string& subfolder : subfolders) {
      const std::string within = joined(folder, subfolder);
      const bool is_hidden = names_library && files_->exists(joined(within, "__init__.py"));
      const std::string base = joined(within, relative);
      for (const std::string& file : {base + ".py", joined(base, "__init__.py")}) {
        if (is_hidden || (relative.empty() && file.ends_with("/.py")) || !files_->exists(file))
          continue;
        return known->second = file;
      }
    }
    folder = path::parent_path(folder).str();
  }
  return std::nullopt;
}

Target Project::imported(const std::string& from, size_t level, std::string_view dotted) {
  if (auto file = find_module(from, level, dotted)) return {Kind::kModule, *file};
  if (level != 0) return {};
  return {Kind::kLibrary, models::public_python_name(std::string(dotted))};
}

void Project::bind(Module& module, const std::string& name, const Binding& binding) {
  auto [at, is_new] = module.names.try_emplace(name, binding);
  const Binding& first = at->second;
  const bool is_same_import = !is_new && binding.kind == Kind::kModule &&
                              first.kind == Kind::kModule && first.from == binding.from &&
                              first.level == binding.level && first.name == binding.name;
  if (!is_same_import) ++at->second.count;
  if (is_new && binding.kind == Kind::kModule) module.imports.push_back(name);
}

void Project::bind_pattern(Module& module, const Node& pattern) {
  if (pattern.is("identifier")) return bind(module, std::string(pattern.text()), {});
  bool is_list = pattern.is("pattern_list") || pattern.is("tuple_pattern") ||
                 pattern.is("list_pattern") || pattern.is("list_splat_pattern");
  if (!is_list) return;
  for (const Node& each : pattern.children()) bind_pattern(module, each);
}

// The variables that a function or a class makes for the whole module.
void Project::bind_globals(Module& module, const Node& definition) {
  if (definition.text().find("global") == std::string_view::npos) return;
  std::vector<Node> work{definition};
  while (!work.empty()) {
    const Node next = work.back();
    work.pop_back();
    for (const Node& each : next.children()) {
      if (next.is("global_statement")) bind_pattern(module, each);
      work.push_back(each);
    }
  }
}

// Which imported names a statement of the module, collected just now, has bound anew. What a
// function binds anew is bound when it is called.
void Project::note_rebound(const Node& statement, Module& module) {
  const bool binds_later = is_import(statement) || statement.is("function_definition") ||
                           statement.is("class_definition") || statement.is("decorated_definition");
  // Within an `if` or a loop the name may mean either.
  const ir::Range range = statement.range();
  const uint32_t last = statement.is("expression_statement") ? range.end_line : range.line - 1;
  for (const std::string& name : module.imports) {
    Binding& binding = module.names.at(name);
    if (binding.count > binding.seen && binding.seen > 0 && !binds_later)
      module.rebound.try_emplace(name, last);
    binding.seen = binding.count;
  }
}

// The decorators of a definition, without their arguments.
static std::vector<std::string> decorators_of(const Node& definition) {
  std::vector<std::string> decorators;
  for (const Node& each : definition.children()) {
    if (!each.is("decorator") || each.children().empty()) continue;
    const Node named = each.children().front();
    decorators.emplace_back((named.is("call") ? named.field("function") : named).text());
  }
  return decorators;
}

void Project::collect(const Node& block, Module& module, int depth) {
  const std::vector<Node> statements = block.children();
  const std::set<BoundImport> replaced =
      depth == 0 ? replaced_imports(statements) : std::set<BoundImport>();
  for (size_t i = 0; i < statements.size(); ++i) {
    Node statement = statements[i];
    std::vector<std::string> decorators;
    if (statement.is("decorated_definition")) {
      decorators = decorators_of(statement);
      statement = statement.field("definition");
    }
    std::string_view kind = statement.kind();
    if (kind == "function_definition") {
      Binding binding;
      binding.kind = Kind::kFunction;
      binding.decorators = std::move(decorators);
      bind(module, std::string(statement.field("name").text()), binding);
      bind_globals(module, statement);
    } else if (kind == "class_definition") {
      Binding binding{Kind::kClass, {}, 0, {}, {}, {}, 0};
      for (const Node& base : statement.field("superclasses").children()) {
        if (!base.is("keyword_argument")) binding.bases.emplace_back(base.text());
      }
      bind(module, std::string(statement.field("name").text()), binding);
      bind_globals(module, statement);
    } else if (kind == "import_statement") {
      for (const Node& name : statement.children("name")) {
        bool has_alias = name.is("aliased_import");
        std::string dotted(has_alias ? name.field("name").text() : name.text());
        if (has_alias) {
          std::string bound(name.field("alias").text());
          if (replaced.count({i, bound}) != 0) continue;
          bind(module, bound, {Kind::kModule, dotted, 0, {}, {}, {}, 0});
        } else {
          std::string first = dotted.substr(0, dotted.find('.'));
          if (replaced.count({i, first}) != 0) continue;
          bind(module, first, {Kind::kModule, first, 0, {}, {}, {}, 0});
        }
      }
    } else if (kind == "import_from_statement") {
      auto [from, level] = origin_of(statement);
      if (statement.child("wildcard_import")) module.stars.emplace_back(from, level);
      for (const Node& name : statement.children("name")) {
        bool has_alias = name.is("aliased_import");
        std::string own(has_alias ? name.field("name").text() : name.text());
        std::string bound(has_alias ? name.field("alias").text() : name.text());
        if (replaced.count({i, bound}) != 0) continue;
        bind(module, bound, {Kind::kModule, from, level, own, {}, {}, 0});
      }
    } else if (kind == "expression_statement") {
      if (std::string added = added_to_path(statement); !added.empty())
        module.added_to_path.push_back(std::move(added));
      for (const Node& each : statement.children()) {
        Node assignment = each;
        while (assignment.is("assignment")) {
          bind_pattern(module, assignment.field("left"));
          assignment = assignment.field("right");
        }
        if (each.is("augmented_assignment")) bind_pattern(module, each.field("left"));
      }
    } else if (depth < kMaxNesting) {
      if (kind == "for_statement") bind_pattern(module, statement.field("left"));
      if (kind == "with_statement") {
        for (const Node& item : statement.child("with_clause").children()) {
          for (const Node& each : item.field("value").children())
            if (each.is("as_pattern_target"))
              for (const Node& target : each.children()) bind_pattern(module, target);
        }
      }
      bool nests = kind.ends_with("_statement") || kind.ends_with("_clause") || kind == "block";
      bool is_simple = kind == "return_statement" || kind == "assert_statement";
      if (nests && !is_simple) collect(statement, module, depth + 1);
    }
    if (depth == 0) note_rebound(statements[i], module);
  }
}

const Project::Module& Project::module(const std::string& file) {
  std::unique_ptr<Module>& known = modules_[file];
  if (known) return *known;
  known = std::make_unique<Module>();
  Module& made = *known;
  llvm::Expected<Source> source = read(file);
  if (source) {
    Tree tree(std::move(*source));
    collect(tree.root(), made, 0);
  } else {
    llvm::consumeError(source.takeError());
  }
  return made;
}

Target Project::resolve(const std::string& file, const std::string& name) {
  return resolve(file, name, 0);
}

Target Project::resolve(const std::string& file, const std::string& name, int depth) {
  if (depth > kMaxHops) return {};
  const Module& in = module(file);
  auto at = in.names.find(name);
  if (at == in.names.end()) {
    for (const auto& [from, level] : in.stars) {
      std::optional<std::string> source = find_module(file, level, from);
      if (!source) {
        // A library's star brings what is not known; of PyTorch's packages the names are.
        if (level == 0 && from.starts_with("torch"))
          return {Kind::kLibrary, models::public_python_name(from + "." + name)};
        continue;
      }
      if (*source == file) continue;
      Target found = resolve(*source, name, depth + 1);
      if (!found.is(Kind::kUnknown)) return found;
    }
    // A file beside a package's __init__ is a member of it once somebody imports it.
    if (path::filename(file) == "__init__.py") {
      if (auto inner = find_module(file, 1, name)) return {Kind::kModule, *inner};
    }
    return {};
  }
  if (at->second.count > 1) return {Kind::kVariable, slot_of(file, name)};
  return target_of(file, name, at->second, depth);
}

std::optional<Target> Project::meant_by_import(const std::string& file, const std::string& name,
                                               uint32_t line) {
  const Module& in = module(file);
  const auto rebound = in.rebound.find(name);
  if (rebound == in.rebound.end() || line > rebound->second) return std::nullopt;
  return target_of(file, name, in.names.at(name), 0);
}

// Whether a decorator there makes another function of one: a function of the project, whose result
// it is, or one of a library that chooses among several.
bool Project::replaces_function(const std::string& file, const std::string& written, int depth) {
  if (written.substr(written.rfind('.') + 1) == "singledispatch") return true;
  const size_t dot = written.find('.');
  Target target = resolve(file, written.substr(0, dot), depth + 1);
  if (dot != std::string::npos && target.is(Kind::kModule))
    target = resolve(target.name, written.substr(dot + 1), depth + 1);
  return target.is(Kind::kFunction);
}

Target Project::target_of(const std::string& file, const std::string& name, const Binding& binding,
                          int depth) {
  switch (binding.kind) {
    case Kind::kFunction: {
      const bool is_decorated = std::ranges::any_of(
          binding.decorators,
          [&](const std::string& each) { return replaces_function(file, each, depth); });
      if (is_decorated) return {Kind::kVariable, slot_of(file, name)};
      return {binding.kind, key_of(file, name)};
    }
    case Kind::kClass:
      return {binding.kind, key_of(file, name)};
    case Kind::kModule: {
      if (binding.name.empty()) return imported(file, binding.level, binding.from);
      std::optional<std::string> source = find_module(file, binding.level, binding.from);
      if (!source) {
        // `from package import module` where the package is a folder without __init__.
        std::string inner = binding.from.empty() ? binding.name : binding.from + "." + binding.name;
        return imported(file, binding.level, inner);
      }
      // `from . import x` in an __init__ names its own folder.
      Target found = *source == file ? Target{} : resolve(*source, binding.name, depth + 1);
      if (found.is(Kind::kUnknown)) {
        if (auto inner = find_module(*source, 1, binding.name); inner && *inner != file)
          return {Kind::kModule, *inner};
      }
      return found;
    }
    default:
      return {Kind::kVariable, slot_of(file, name)};
  }
}

Target Project::unbound(const std::string& file, const std::string& name) {
  const Module& in = module(file);
  std::string of = path::stem(file).str();
  for (const auto& [from, level] : in.stars) {
    if (level == 0 && !find_module(file, level, from)) of = from;
  }
  return {Kind::kLibrary, of + "." + name};
}

Target Project::member(const Target& target, const std::string& name) {
  if (target.is(Kind::kLibrary)) {
    return {Kind::kLibrary, models::public_python_name(target.name + "." + name)};
  }
  return target.is(Kind::kModule) ? resolve(target.name, name) : Target{};
}

std::vector<std::string> Project::names_of(const std::string& file) {
  std::vector<std::string> names;
  for (const auto& [name, binding] : module(file).names) {
    if (!name.starts_with("_")) names.push_back(name);
  }
  return names;
}

std::set<std::string> Project::all_names_of(const std::string& file) {
  std::set<std::string> names, seen;
  std::vector<std::string> work{file};
  while (!work.empty()) {
    const std::string next = work.back();
    work.pop_back();
    if (!seen.insert(next).second) continue;
    for (std::string& name : names_of(next)) names.insert(std::move(name));
    for (const auto& [from, level] : module(next).stars) {
      if (std::optional<std::string> source = find_module(next, level, from))
        work.push_back(*source);
    }
  }
  return names;
}

Target Project::resolve_dotted(const std::string& file, const std::string& dotted) {
  llvm::StringRef rest = dotted;
  auto [first, others] = rest.split('.');
  Target target = resolve(file, first.str());
  while (!others.empty()) {
    auto [next, after] = others.split('.');
    target = member(target, next.str());
    others = after;
  }
  return target;
}

ClassInfo Project::class_info(const std::string& key) { return class_info(key, 0); }

ClassInfo Project::class_info(const std::string& key, int depth) {
  ClassInfo info;
  info.key = key;
  std::string file = path_of(key);
  const Module& in = module(file);
  auto at = in.names.find(key.substr(file.size() + 1));
  if (at == in.names.end() || depth > kMaxHops) {
    info.has_unknown_base = true;
    return info;
  }
  for (const std::string& spelled : at->second.bases) {
    const bool is_builtin = spelled == "object" || spelled == "dict";
    Target base = is_builtin ? Target{Kind::kLibrary, spelled} : resolve_dotted(file, spelled);
    info.bases.push_back(base);
    if (base.is(Kind::kClass)) {
      ClassInfo above = class_info(base.name, depth + 1);
      info.is_module |= above.is_module;
      info.has_unknown_base |= above.has_unknown_base;
    } else if (base.is(Kind::kLibrary) && base.name.starts_with("torch.nn.")) {
      info.is_module = true;
    } else if (base.is(Kind::kLibrary) && models::is_network_class(base.name)) {
      info.is_module = true;
      info.has_unknown_base = true;
    } else {
      static const std::set<std::string, std::less<>> kPlain = {
          "object",
          "abc.ABC",
          "typing.Generic",
          "torch.utils.data.Dataset",
          "torch.utils.data.IterableDataset",
          "torchvision.datasets.VisionDataset",
          "enum.Enum",
          "typing.NamedTuple",
          "torch.autograd.Function",
          "threading.Thread",
          "Exception"};
      info.has_unknown_base |= !(base.is(Kind::kLibrary) && kPlain.count(base.name));
    }
  }
  return info;
}

}  // namespace placecheck::frontend::python
