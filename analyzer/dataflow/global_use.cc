#include "analyzer/dataflow/global_use.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/ir/walk.h"
#include "analyzer/models/libraries/effects.h"

namespace placecheck::dataflow {
namespace {

using Set = llvm::SparseBitVector<>;
using Node = size_t;

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

bool runs_what_it_is_given(const ir::Call& call) {
  if (call.kind == ir::CallKind::kIndirect || ir::is_untyped(call)) return true;
  std::string_view method = ir::last_component(call.name);
  if (method == "operator()" || method == "forward") return true;
  for (const std::string& name : {call.name, "torch::nn::Module::" + std::string(method)}) {
    std::optional<models::Effect> effect = models::find_effect(name);
    if (effect && runs_what_it_is_given(*effect)) return true;
  }
  return false;
}

// Without types, whom a call reaches is known at run time only.
bool is_dynamic(const ir::Program& program) {
  return std::ranges::any_of(program.units, [](const ir::Unit* unit) {
    return std::ranges::any_of(unit->functions, [](const ir::Function& function) {
      return dataflow::is_dynamic(function);
    });
  });
}

// Who calls whom, and what each uses itself; then what callees use spreads to callers.
class Spread {
 public:
  explicit Spread(const ir::Program& program)
      : program_(program), functors_(add_node()), datasets_(add_node()), destructors_(add_node()) {
    for (const char* name : {"forward", "operator()"}) add_call(functors_, methods_called(name));
    for (const char* name : {"get", "get_batch", "apply", "apply_batch", "operator()"})
      add_call(datasets_, methods_called(name));
    for (const ir::Unit* unit : program.units) {
      for (const ir::Global& global : unit->globals) number_of(global.slot);
      for (const ir::Class& type : unit->classes) add_methods(*unit, type);
      for (const ir::Function& function : unit->functions) add(*unit, function);
    }
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
  void add_call(Node caller, Node callee) { callers_[callee].push_back(caller); }

  unsigned number_of(std::string_view slot) {
    auto [at, is_new] = numbers_.try_emplace(slot, static_cast<unsigned>(slots_.size()));
    if (is_new) slots_.push_back(slot);
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
    for (const ir::Method& method : type.methods) {
      if (!method.is_constructor) add_call_of_key(methods_called(method.name), method.key, unit);
    }
  }

  void add(const ir::Unit& unit, const ir::Function& function) {
    const Node node = node_of(&function);
    if (function.name.find("::~") != std::string::npos) add_call(destructors_, node);
    for (const ir::Parameter& each : function.parameters)
      add_call_of_key(node, each.default_function, unit);
    ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
      if (each.symbol.starts_with('@')) used_[node].set(number_of(each.symbol));
      if (each.opcode == ir::Opcode::kExit) add_call(node, destructors_);
      if (each.opcode == ir::Opcode::kCall) add_call_of(node, each.call, unit);
      if (each.opcode != ir::Opcode::kClosure) return;
      // Whoever is handed the closure may call it.
      add_call_of_key(functors_, each.symbol, unit);
      add_call_of_key(node, each.symbol, unit);
    });
  }

  void add_call_of(Node node, const ir::Call& call, const ir::Unit& unit) {
    if (call.kind == ir::CallKind::kConstruct) {
      if (const ir::Class* type = program_.find_class(call.key, &unit)) {
        for (const ir::Method& method : type->methods) {
          if (method.is_constructor) add_call_of_key(node, method.key, *program_.unit_of(*type));
        }
      }
    } else {
      add_call_of_key(node, call.key, unit);
    }
    bool is_method = call.kind == ir::CallKind::kMethod || ir::is_untyped(call);
    if (is_method) add_call(node, methods_called(ir::last_component(call.name)));
    if (call.name.starts_with("loop.")) add_call(node, datasets_);
    if (runs_what_it_is_given(call)) add_call(node, functors_);
  }

  const ir::Program& program_;
  std::vector<Set> used_;                   // by node
  std::vector<std::vector<Node>> callers_;  // by node
  std::unordered_map<const ir::Function*, Node> functions_;
  std::unordered_map<std::string_view, Node> methods_;      // by name
  std::unordered_map<std::string_view, unsigned> numbers_;  // of globals
  std::vector<std::string_view> slots_;
  Node functors_;     // what a library may be handed to call
  Node datasets_;     // what a loop over a loader runs
  Node destructors_;  // what the end of a scope may run
};

}  // namespace

GlobalUse::GlobalUse(const ir::Program& program, Names& names) {
  if (is_dynamic(program)) return;
  Spread spread(program);
  for (std::string_view slot : spread.slots())
    numbers_.emplace(names.intern(slot), static_cast<unsigned>(numbers_.size()));
  used_ = std::move(spread).run();
}

bool GlobalUse::may_use(const ir::Function& function, Name global) const {
  auto number = numbers_.find(global);
  if (number == numbers_.end()) return true;
  auto used = used_.find(&function);
  return used == used_.end() || used->second.test(number->second);
}

}  // namespace placecheck::dataflow
