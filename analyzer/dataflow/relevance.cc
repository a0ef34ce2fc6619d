#include "analyzer/dataflow/relevance.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kLibraries[] = {"at::", "c10::", "cublas",      "cuda",
                                           "nccl", "torch", "placecheck::"};

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
      bool is_global = each.opcode == ir::Opcode::kStore || each.opcode == ir::Opcode::kRef;
      if (is_global && each.symbol.starts_with("@")) return true;
      if (each.opcode != ir::Opcode::kCall) continue;
      if (ir::is_untyped(each.call) || is_of_library(each.call.name) ||
          types.holds_places(each.call.type))
        return true;
    }
  }
  return false;
}

}  // namespace

std::unordered_set<const ir::Function*> functions_that_concern_places(const ir::Program& program) {
  TypeRelevance types(program);
  std::unordered_set<const ir::Function*> relevant;
  std::unordered_map<std::string_view, std::vector<const ir::Function*>> callers;
  std::vector<const ir::Function*> work;
  for (const ir::Unit* unit : program.units) {
    for (const ir::Function& function : unit->functions) {
      for (const ir::Block& block : function.blocks) {
        for (const ir::Instruction& each : block.instructions) {
          bool is_call = each.opcode == ir::Opcode::kCall;
          const std::string& key = is_call ? each.call.key : each.symbol;
          bool names = (is_call || each.opcode == ir::Opcode::kClosure) && !key.empty();
          if (names) callers[key].push_back(&function);
        }
      }
      if (mentions_places(function, types) && relevant.insert(&function).second)
        work.push_back(&function);
    }
  }
  while (!work.empty()) {
    const ir::Function* function = work.back();
    work.pop_back();
    for (const ir::Function* caller : callers[function->key]) {
      if (relevant.insert(caller).second) work.push_back(caller);
    }
    // Constructors are called by the key of their class.
    if (function->class_key.empty()) continue;
    if (function->kind != ir::FunctionKind::kConstructor) continue;
    for (const ir::Function* caller : callers[function->class_key]) {
      if (relevant.insert(caller).second) work.push_back(caller);
    }
  }
  return relevant;
}

}  // namespace placecheck::dataflow
