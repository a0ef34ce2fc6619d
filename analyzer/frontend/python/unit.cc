// One file: its module function, and where a program begins.
#include <algorithm>

#include "analyzer/files/snapshot.h"
#include "analyzer/frontend/python/lower.h"
#include "analyzer/frontend/python/lowering.h"

namespace placecheck::frontend::python {
namespace {

// What a file does at its top level besides defining things, where it does something with effect.
bool does_something(const Node& statement) {
  std::string_view kind = statement.kind();
  if (kind == "for_statement" || kind == "while_statement" || kind == "with_statement") return true;
  if (kind == "if_statement") {
    std::string_view condition = statement.field("condition").text();
    return condition.find("__name__") != std::string_view::npos;
  }
  if (kind != "expression_statement") return false;
  std::vector<Node> parts = statement.children();
  if (parts.empty() || !parts[0].is("call")) return false;
  std::string_view callee = parts[0].field("function").text();
  static constexpr std::string_view kSettings[] = {
      "sys.path",  "logging.",          "warnings.",  "logger.",        "random.",
      "np.random", "torch.manual_seed", "torch.set_", "torch.backends", "matplotlib",
      "plt.",      "__all__",           "register"};
  return std::none_of(std::begin(kSettings), std::end(kSettings),
                      [&](std::string_view each) { return callee.starts_with(each); });
}

// A file that defines nothing is there to be run.
bool is_program(const Node& root) {
  bool defines = false;
  bool has_calls = false;
  for (const Node& each : root.children()) {
    if (does_something(each)) return true;
    defines |= each.is("function_definition") || each.is("class_definition") ||
               each.is("decorated_definition");
    has_calls |= each.is("expression_statement") &&
                 each.text().find("torch") != std::string_view::npos &&
                 each.text().find('(') != std::string_view::npos;
  }
  return !defines && has_calls;
}

}  // namespace

std::string UnitLowering::new_key(const std::string& name, const ir::Range& range) {
  std::string key = key_of(path_, name);
  if (!keys_.insert(key).second) {
    key += "@" + std::to_string(range.line) + "." + std::to_string(range.column);
    while (!keys_.insert(key).second) key += "'";
  }
  return key;
}

std::string UnitLowering::add_default(const Node& value, const Scope* outer,
                                      const std::string& name) {
  ir::Function function;
  function.kind = ir::FunctionKind::kInitializer;
  function.name = name;
  function.range = value.range();
  function.key = new_key("default of " + name, function.range);
  Scope scope;
  scope.outer = outer;
  FunctionLowering(*this, function, std::move(scope)).run_default(value);
  std::string key = function.key;
  add(std::move(function));
  return key;
}

// Whether the module has run: each program begins without any that have.
void UnitLowering::add_module_flag() {
  ir::Function flag;
  flag.kind = ir::FunctionKind::kInitializer;
  flag.key = new_key("<not imported>", {});
  flag.name = "<not imported>";
  ir::Builder builder(flag);
  builder.ret(builder.constant(false));
  builder.finish();
  ir::Global global;
  global.slot = imported_slot(path_);
  global.name = "<imported>";
  global.type.kind = ir::TypeKind::kBool;
  global.initializer = flag.key;
  unit_.globals.push_back(std::move(global));
  add(std::move(flag));
}

// A program is a file that is run: its module with the name "__main__".
void UnitLowering::add_entry(const ir::Range& range) {
  ir::Function entry;
  entry.key = new_key("<main>", range);
  entry.name = "<main>";
  entry.is_entry = true;
  entry.range = range;
  ir::Builder builder(entry);
  builder.set_range(range);
  ir::Call start;
  start.name = "object.start";
  builder.call(std::move(start));
  builder.store(imported_slot(path_), builder.constant(true));
  ir::Call call;
  call.name = "<module>";
  call.key = module_key(path_);
  call.arguments.push_back({builder.constant(std::string("__main__")), {}, {}});
  builder.call(std::move(call));
  builder.ret();
  builder.finish();
  add(std::move(entry));
}

void UnitLowering::lower(const Node& root) {
  bool is_entry = files::is_notebook(path_) || is_program(root);
  ir::Function module;
  module.name = "<module>";
  module.range = root.range();
  module.key = new_key("<module>", module.range);
  Scope scope;
  scope.kind = Scope::Kind::kModule;
  if (is_entry) {
    // What only the top level itself uses is nobody else's.
    std::set<std::string> shared;
    std::vector<Node> work{root};
    while (!work.empty()) {
      Node next = work.back();
      work.pop_back();
      for (const Node& each : next.children()) {
        bool is_inner =
            each.is("function_definition") || each.is("class_definition") || each.is("lambda");
        if (is_inner) {
          shared.merge(names_used_in(each));
        } else {
          work.push_back(each);
        }
      }
    }
    BoundNames names = names_bound_in(root);
    names.bound.merge(names.imported);
    for (const std::string& name : names.bound) {
      bool is_own =
          !shared.count(name) && project_.resolve(path_, name).is(Target::Kind::kVariable);
      if (is_own) scope.slots.emplace(name, name);
    }
  }
  FunctionLowering(*this, module, std::move(scope)).run_module(root);
  add(std::move(module));
  add_module_flag();
  if (is_entry) add_entry(root.range());
}

std::vector<std::string> imports_of(const ir::Unit& unit) {
  std::set<std::string> files;
  for (const ir::Function& function : unit.functions) {
    for (const ir::Block& block : function.blocks) {
      for (const ir::Instruction& each : block.instructions) {
        bool imports = each.opcode == ir::Opcode::kCall && each.call.name == "<module>";
        std::string file = imports ? path_of(each.call.key) : "";
        if (imports && file != unit.files[0]) files.insert(file);
      }
    }
  }
  return {files.begin(), files.end()};
}

LowerResult lower_file(const LowerInput& input) {
  LowerResult result;
  result.unit.files.push_back(input.path);
  Project project(input.file_system ? input.file_system : files::make_snapshot());
  llvm::Expected<Source> source = project.read(input.path);
  if (!source) {
    result.errors = 1;
    result.first_error = input.path + ":1: " + llvm::toString(source.takeError());
    result.messages.push_back(result.first_error);
    return result;
  }
  Tree tree(std::move(*source));
  for (const ir::Range& range : tree.errors(kMaxMessages)) {
    result.messages.push_back(input.path + ":" + std::to_string(range.line) + ": invalid syntax");
    ++result.errors;
  }
  if (!result.messages.empty()) result.first_error = result.messages.front();
  UnitLowering unit(input.path, project);
  unit.lower(tree.root());
  result.unit = unit.take();
  // Where not one statement is recognised, nothing of the file was understood.
  bool is_nothing =
      result.errors > 0 && std::ranges::all_of(tree.root().children(), &Node::is_error);
  bool is_partial = result.errors > 0;
  result.understanding = is_nothing   ? Understanding::kNone
                         : is_partial ? Understanding::kPartly
                                      : Understanding::kFull;
  return result;
}

}  // namespace placecheck::frontend::python
