#include "analyzer/dataflow/relevance.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kLibraries[] = {"at::",   "c10::", "cublas", "cuda",
                                           "launch", "nccl",  "torch",  "placecheck::"};

bool is_of_library(std::string_view name) {
  return std::any_of(std::begin(kLibraries), std::end(kLibraries),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

class TypeRelevance {
 public:
  explicit TypeRelevance(const ir::Program& program) {
    for (const ir::Unit* unit : program.units) {
      for (const ir::Class& each : unit->classes) classes_.emplace(each.key, &each);
    }
  }

  bool holds_places(const ir::Type& type) {
    if (ir::has_place(type.kind)) return true;
    if (type.kind == ir::TypeKind::kRecord)
      return is_of_library(type.name) || class_holds_places(type.name);
    return std::any_of(type.arguments.begin(), type.arguments.end(),
                       [&](const ir::Type& each) { return holds_places(each); });
  }

 private:
  bool class_holds_places(const std::string& key) {
    auto found = classes_.find(key);
    if (found == classes_.end()) return false;
    auto [known, is_new] = known_.try_emplace(key, false);
    if (!is_new) return known->second;
    const ir::Class& type = *found->second;
    bool holds = type.is_module ||
                 std::any_of(type.fields.begin(), type.fields.end(),
                             [&](const ir::Field& each) { return holds_places(each.type); }) ||
                 std::any_of(type.bases.begin(), type.bases.end(),
                             [&](const ir::Type& each) { return holds_places(each); });
    known_[key] = holds;
    return holds;
  }

  std::unordered_map<std::string, const ir::Class*> classes_;
  std::unordered_map<std::string, bool> known_;
};

bool mentions_places(const ir::Function& function, TypeRelevance& types) {
  for (const ir::Parameter& each : function.parameters) {
    if (types.holds_places(each.type)) return true;
  }
  for (const ir::Slot& each : function.slots) {
    if (types.holds_places(each.type)) return true;
  }
  if (types.holds_places(function.result)) return true;
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (each.opcode != ir::Opcode::kCall) continue;
      if (ir::is_untyped(each.call) || is_of_library(each.call.name) ||
          types.holds_places(each.call.type))
        return true;
    }
  }
  return false;
}

// Relevance spreads from functions to their callers, and over the globals that they share.
class Spread {
 public:
  explicit Spread(const ir::Program& program) : types_(program) {
    for (const ir::Unit* unit : program.units) {
      for (const ir::Global& global : unit->globals) {
        if (types_.holds_places(global.type)) add_global(global.slot);
      }
      for (const ir::Function& function : unit->functions) index(function);
    }
    for (const ir::Unit* unit : program.units) {
      for (const ir::Function& function : unit->functions) {
        if (mentions_places(function, types_)) add(&function);
      }
    }
  }

  std::unordered_set<const ir::Function*> run() && {
    while (!work_.empty()) {
      const ir::Function* function = work_.back();
      work_.pop_back();
      add_all(callers_[function->key]);
      // Constructors are called by the key of their class.
      if (function->kind == ir::FunctionKind::kConstructor && !function->class_key.empty())
        add_all(callers_[function->class_key]);
      for (std::string_view global : globals_[function]) add_global(global);
    }
    return std::move(relevant_);
  }

 private:
  using Functions = std::vector<const ir::Function*>;

  void index(const ir::Function& function) {
    for (const ir::Block& block : function.blocks) {
      for (const ir::Instruction& each : block.instructions) {
        bool is_call = each.opcode == ir::Opcode::kCall;
        const std::string& key = is_call ? each.call.key : each.symbol;
        bool names = (is_call || each.opcode == ir::Opcode::kClosure) && !key.empty();
        if (names) callers_[key].push_back(&function);
        if (is_call || !each.symbol.starts_with("@")) continue;
        globals_[&function].push_back(each.symbol);
        users_[each.symbol].push_back(&function);
        if (relevant_globals_.count(each.symbol)) add(&function);
      }
    }
  }

  void add(const ir::Function* function) {
    if (relevant_.insert(function).second) work_.push_back(function);
  }
  void add_all(const Functions& functions) {
    for (const ir::Function* each : functions) add(each);
  }
  void add_global(std::string_view global) {
    if (relevant_globals_.insert(global).second) add_all(users_[global]);
  }

  TypeRelevance types_;
  std::unordered_map<std::string_view, Functions> callers_;
  std::unordered_map<std::string_view, Functions> users_;  // of globals
  std::unordered_map<const ir::Function*, std::vector<std::string_view>> globals_;
  std::unordered_set<std::string_view> relevant_globals_;
  std::unordered_set<const ir::Function*> relevant_;
  Functions work_;
};

}  // namespace

std::unordered_set<const ir::Function*> functions_that_concern_places(const ir::Program& program) {
  return Spread(program).run();
}

}  // namespace placecheck::dataflow
