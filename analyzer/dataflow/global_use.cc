#include "analyzer/dataflow/global_use.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/optimizers.h"
#include "analyzer/dataflow/saved_files.h"
#include "analyzer/ir/walk.h"
#include "analyzer/models/libraries/effects.h"
#include "analyzer/models/libraries/modules.h"

namespace placecheck::dataflow {
namespace {

using Set = llvm::SparseBitVector<>;
using Node = size_t;

// Stands among the variables for code without a body.
constexpr std::string_view kUnseenCode = "<unseen code>";
// Stands among the variables for all files that the program writes.
constexpr std::string_view kFiles = "<files>";

// A library call with one of these effects may run code of the program that it was handed.
bool runs_what_it_is_given(models::Effect effect) {
  using models::Effect;
  switch (effect) {
    case Effect::kCallFunction:
    case Effect::kOptimize:
    case Effect::kStartThread:
    case Effect::kStartTask:
    case Effect::kApplyModule:
    case Effect::kVisitModules:
    case Effect::kModulesWithin:
    case Effect::kDataParallelCall:
    case Effect::kDataParallelForward:
    case Effect::kParallelApply:
    case Effect::kMakeLoader:
    case Effect::kMapDataset:
      return true;
    default:
      return false;
  }
}

// Of a call that names no function of the program.
bool runs_what_it_is_given(const ir::Call& call) {
  if (call.kind == ir::CallKind::kIndirect || ir::is_untyped(call)) return true;
  std::string_view method = ir::last_component(call.name);
  if (method == "operator()") return true;
  for (const std::string& name : {call.name, "torch::nn::Module::" + std::string(method)}) {
    std::optional<models::Effect> effect = models::find_effect(name);
    if (effect && runs_what_it_is_given(*effect)) return true;
  }
  return false;
}

// A library call with one of these effects may ask what was written to a file, or write to one.
// Where text is written to a stream, that is to one that was opened for it.
bool uses_files(models::Effect effect) {
  using models::Effect;
  switch (effect) {
    case Effect::kSave:
    case Effect::kLoad:
    case Effect::kLoadProgram:
    case Effect::kSaveProgram:
    case Effect::kArchiveLoadFrom:
    case Effect::kArchiveSaveTo:
    case Effect::kLoadArchive:
    case Effect::kSaveArchive:
    case Effect::kCopyFile:
    case Effect::kOpenFile:
    case Effect::kWriteBytes:
    case Effect::kMakeTextStream:
    case Effect::kTextOfStream:
    case Effect::kPickleLoad:
    case Effect::kPickleSave:
      return true;
    default:
      return false;
  }
}

bool uses_files(const ir::Call& call) {
  // What a stream holds is read into a container as a whole.
  if (call.name == "std::istreambuf_iterator::istreambuf_iterator") return true;
  const std::string method(ir::last_component(call.name));
  for (const auto& effect : {effect_of(call), models::find_effect("torch::nn::Module::" + method)})
    if (effect && uses_files(*effect)) return true;
  return false;
}

// What a name ends with, in whatever way it is qualified: `@file.py:limit`, `Net::forward`, `.fit`.
std::string_view last_name(std::string_view name) {
  return name.substr(name.find_last_of(".:") + 1);
}

// What objects of Python do where no call is written: `a + b`, `a[i]`, `for`, `with`, `len(a)`.
bool is_implicit(std::string_view method) {
  return method.starts_with("__") && method.ends_with("__") && method != "__init__";
}

// Calls whose argument names an attribute, or a class that is used as a value.
bool reads_by_name(const ir::Call& call) {
  return call.name == "object.get" || call.name == "object.class" ||
         call.name == "builtins.getattr";
}

// Classes of which no class of the program overrides a method.
bool is_of_final_class(std::string_view method) {
  constexpr std::string_view kLibraries[] = {"std::", "at::", "c10::"};
  return std::ranges::any_of(kLibraries,
                             [&](std::string_view each) { return method.starts_with(each); });
}

// A layer or a loss, whose forward() runs nothing else.
bool is_leaf(const models::ModuleModel* model) {
  return model && model->forward != models::Forward::kSequential;
}

// Who calls whom, and what each uses itself; then what callees use spreads to callers.
class Spread {
 public:
  explicit Spread(const ir::Program& program)
      : program_(program),
        functors_(add_node()),
        modules_(add_node()),
        datasets_(add_node()),
        destructors_(add_node()),
        implicit_(add_node()),
        everything_(add_node()) {
    number_of(kUnseenCode);
    number_of(kFiles);
    for (const char* name : {"forward", "operator()"}) add_call(functors_, methods_called(name));
    for (const char* name : {"forward", "__call__"}) add_call(functors_, named(name));
    add_call(modules_, methods_called("forward"));
    for (const char* name : {"get", "get_batch", "apply", "apply_batch"})
      add_call(datasets_, methods_called(name));
    for (const ir::Unit* unit : program.units) {
      for (const ir::Global& global : unit->globals) number_of(global.slot);
      for (const ir::Class& type : unit->classes) add_methods(*unit, type);
      for (const ir::Function& function : unit->functions) add(*unit, function);
    }
    for (unsigned slot = 0; slot < slots_.size(); ++slot) use(everything_, slot);
  }

  // By number.
  const std::vector<std::string_view>& slots() const { return slots_; }

  std::unordered_map<const ir::Function*, Set> run() && {
    std::vector<Node> work;
    for (Node node = 0; node < used_.size(); ++node) {
      if (!used_[node].empty()) work.push_back(node);
    }
    while (!work.empty()) {
      Node callee = work.back();
      work.pop_back();
      for (Node caller : callers_[callee]) {
        const bool grows = used_[caller] |= used_[callee];
        if (grows) work.push_back(caller);
      }
    }
    std::unordered_map<const ir::Function*, Set> result;
    for (const auto& [function, node] : functions_) result[function] = std::move(used_[node]);
    return result;
  }

 private:
  Node add_node() {
    used_.emplace_back();
    callers_.emplace_back();
    return used_.size() - 1;
  }
  void use(Node node, unsigned slot) { used_[node].set(slot); }
  void add_call(Node caller, Node callee) { callers_[callee].push_back(caller); }

  unsigned number_of(std::string_view slot) {
    auto [at, is_new] = numbers_.try_emplace(slot, static_cast<unsigned>(slots_.size()));
    if (is_new) {
      slots_.push_back(slot);
      use(named(last_name(slot)), at->second);
    }
    return at->second;
  }
  // Whatever has that name, where it is looked up at run time.
  Node named(std::string_view name) {
    auto [at, is_new] = named_.try_emplace(name, 0);
    if (is_new) at->second = add_node();
    return at->second;
  }
  Node node_of(const ir::Function* function) {
    auto [at, is_new] = functions_.try_emplace(function, 0);
    if (is_new) at->second = add_node();
    return at->second;
  }
  Node methods_called(std::string_view name) {
    auto [at, is_new] = methods_.try_emplace(name, 0);
    if (is_new) at->second = add_node();
    return at->second;
  }
  void add_call_of_key(Node caller, std::string_view key, const ir::Unit& unit) {
    if (key.empty()) return;
    if (const ir::Function* callee = program_.find_function(key, &unit))
      add_call(caller, node_of(callee));
  }

  void add_methods(const ir::Unit& unit, const ir::Class& type) {
    std::set<std::string> classes{type.key};
    add_bases(type, unit, classes);
    const bool is_of_datasets = std::ranges::any_of(
        classes, [](const std::string& each) { return each.starts_with("torch::data::"); });
    for (const ir::Method& method : type.methods) {
      if (method.is_constructor) continue;
      add_call_of_key(methods_called(method.name), method.key, unit);
      for (const std::string& each : classes)
        add_call_of_key(overriders(each, method.name), method.key, unit);
      if (is_of_datasets && method.name == "operator()")
        add_call_of_key(datasets_, method.key, unit);
    }
    if (dataflow::is_dynamic(type)) add_constructors(named(last_name(type.name)), type);
  }

  // The keys of the program's classes above `type`, and the names of libraries' ones.
  void add_bases(const ir::Class& type, const ir::Unit& unit, std::set<std::string>& classes) {
    for (const ir::Type& base : type.bases) {
      const ir::Class* known = program_.find_class(base.name, &unit);
      if (!classes.insert(known ? known->key : base.name).second || !known) continue;
      if (const ir::Unit* home = program_.unit_of(*known)) add_bases(*known, *home, classes);
    }
  }
  // The methods of that name in a class and those that derive from it.
  Node overriders(std::string_view type, std::string_view method) {
    return methods_called(*texts_.insert(std::string(type) + "::" + std::string(method)).first);
  }

  // Those of its bases as well: who has none is made by them.
  void add_constructors(Node node, const ir::Class& type, int depth = 0) {
    constexpr int kDeepest = 16;
    const ir::Unit* unit = program_.unit_of(type);
    for (const ir::Method& method : type.methods) {
      if (method.is_constructor) add_call_of_key(node, method.key, *unit);
    }
    if (!dataflow::is_dynamic(type) || depth == kDeepest) return;
    for (const ir::Type& base : type.bases) {
      if (const ir::Class* known = program_.find_class(base.name, unit))
        add_constructors(node, *known, depth + 1);
    }
  }

  void add(const ir::Unit& unit, const ir::Function& function) {
    const Node node = node_of(&function);
    const bool is_dynamic = dataflow::is_dynamic(function);
    if (is_dynamic) {
      use_in_step(node);
      use(node, number_of(kFiles));
      const std::string_view name = last_name(function.name);
      add_call(named(name), node);
      if (is_implicit(name)) add_call(implicit_, node);
    }
    if (function.name.find("::~") != std::string::npos) add_call(destructors_, node);
    for (const ir::Parameter& each : function.parameters)
      add_call_of_key(node, each.default_function, unit);
    std::unordered_map<ir::Register, std::string_view> texts;
    ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
      if (const auto* text = std::get_if<std::string>(&each.literal)) texts[each.result] = *text;
      if (is_dynamic && each.opcode == ir::Opcode::kCall) add_dynamic_call(node, each.call, texts);
      if (each.symbol.starts_with('@')) use(node, number_of(each.symbol));
      if (each.opcode == ir::Opcode::kExit) add_call(node, destructors_);
      if (each.opcode == ir::Opcode::kCall) add_call_of(node, each.call, unit);
      if (each.opcode != ir::Opcode::kClosure) return;
      // Whoever is handed the closure may call it.
      add_call_of_key(functors_, each.symbol, unit);
      add_call_of_key(node, each.symbol, unit);
    });
  }

  void use_in_step(Node node) {
    for (const std::string_view global : {kHasGradients, kOtherOptimizer})
      use(node, number_of(global));
  }

  void add_call_of(Node node, const ir::Call& call, const ir::Unit& unit) {
    if (call.kind == ir::CallKind::kConstruct) {
      if (const ir::Class* type = program_.find_class(call.key, &unit))
        add_constructors(node, *type);
    } else {
      add_call_of_key(node, call.key, unit);
    }
    if (call.name.starts_with("loop.")) add_call(node, datasets_);
    if (call.name.starts_with("torch::nn::Functional")) add_call(modules_, functors_);
    if (call.name.starts_with("torch::data::transforms::") && call.name.ends_with("Lambda"))
      add_call(datasets_, functors_);
    const bool is_of_program = !call.key.empty() && !ir::is_untyped(call);
    const ir::Function* callee = is_of_program ? program_.find_function(call.key, &unit) : nullptr;
    const bool has_body = callee || call.kind == ir::CallKind::kConstruct;
    if (is_of_program && !has_body && !call.name.starts_with("__builtin_"))
      use(node, number_of(kUnseenCode));
    const std::string_view method = ir::last_component(call.name);
    if (callee && !callee->class_key.empty())
      return add_call(node, overriders(callee->class_key, method));
    if (method == "forward") return add_call_of_forward(node, call);
    const bool is_method = call.kind == ir::CallKind::kMethod || ir::is_untyped(call);
    if (is_method && !is_of_final_class(call.name)) add_call(node, methods_called(method));
    if (method == "step" && is_method) use_in_step(node);
    if (uses_files(call)) use(node, number_of(kFiles));
    if (runs_what_it_is_given(call)) add_call(node, functors_);
  }

  void add_call_of_forward(Node node, const ir::Call& call) {
    const std::string_view type =
        std::string_view(call.name).substr(0, call.name.rfind("::forward"));
    if (ir::is_untyped(call) || call.kind == ir::CallKind::kIndirect)
      add_call(node, functors_);
    else if (is_leaf(models::find_module_model(type)))
      add_call(node, overriders(type, "forward"));
    else
      add_call(node, modules_);
  }

  // Without types, names tell whom a call may reach. `texts`: the literals so far.
  void add_dynamic_call(Node node, const ir::Call& call,
                        const std::unordered_map<ir::Register, std::string_view>& texts) {
    add_call(node, implicit_);
    if (call.name.starts_with('.')) {
      add_call(node, named(last_name(call.name)));
      add_call(node, functors_);
    }
    if (!reads_by_name(call)) return;
    const size_t named_by = call.name == "object.class" ? 0 : 1;
    const auto text =
        named_by < call.arguments.size() ? texts.find(call.arguments[named_by].value) : texts.end();
    if (text == texts.end() || text->second == "__dict__") return add_call(node, everything_);
    add_call(node, named(last_name(text->second)));
    // The method or the class may be handed on.
    add_call(functors_, named(last_name(text->second)));
  }

  const ir::Program& program_;
  std::vector<Set> used_;                   // by node
  std::vector<std::vector<Node>> callers_;  // by node
  std::unordered_map<const ir::Function*, Node> functions_;
  std::unordered_map<std::string_view, Node> methods_;      // by name
  std::unordered_map<std::string_view, Node> named_;        // in Python
  std::unordered_map<std::string_view, unsigned> numbers_;  // of globals
  std::vector<std::string_view> slots_;
  std::set<std::string> texts_;  // that the views above look into
  Node functors_;                // what a library may be handed to call
  Node modules_;                 // what a library's container of modules runs
  Node datasets_;                // what a loop over a loader runs
  Node destructors_;             // what the end of a scope may run
  Node implicit_;                // what operators of Python may run
  Node everything_;
};

}  // namespace

GlobalUse::GlobalUse(const ir::Program& program, Names& names, bool has_user_models)
    : names_(names),
      has_user_models_(has_user_models),
      unseen_(names.intern(kUnseenCode)),
      files_(names.intern(kFiles)) {
  Spread spread(program);
  for (std::string_view slot : spread.slots())
    numbers_.emplace(names.intern(slot), static_cast<unsigned>(numbers_.size()));
  used_ = std::move(spread).run();
}

bool GlobalUse::may_call_unseen(const ir::Function& function) const {
  return may_use(function, unseen_);
}

bool GlobalUse::may_use(const ir::Function& function, Name global) const {
  auto number = numbers_.find(global);
  if (number == numbers_.end()) {
    if (has_user_models_ || !is_of_file(names_.text(global))) return true;
    number = numbers_.find(files_);
  }
  auto used = used_.find(&function);
  return used == used_.end() || used->second.test(number->second);
}

}  // namespace placecheck::dataflow
