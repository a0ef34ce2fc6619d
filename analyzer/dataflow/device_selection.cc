#include "analyzer/dataflow/device_selection.h"

#include <optional>

#include "analyzer/models/libraries/effects.h"

namespace placecheck::dataflow {
namespace {

// A wrapper that checks the call's status, and a helper around it. What lies further out does much
// else as well, and its counters need not number devices.
constexpr int kMostSteps = 2;

bool selects_itself(const ir::Instruction& each) {
  using models::Effect;
  std::optional<Effect> effect = models::find_effect(each.call.name);
  return effect == Effect::kSetDevice || effect == Effect::kDeviceGuard;
}

// Calls, or makes a closure of, one of those.
bool leads_to(const ir::Instruction& each, const std::unordered_set<std::string>& functions) {
  if (each.opcode == ir::Opcode::kClosure) return functions.count(each.symbol) != 0;
  return each.opcode == ir::Opcode::kCall &&
         (selects_itself(each) || functions.count(each.call.key) != 0);
}

bool selects(const ir::Function& function, const std::unordered_set<std::string>& functions) {
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (leads_to(each, functions)) return true;
    }
  }
  return false;
}

}  // namespace

std::unordered_set<std::string> functions_that_select_devices(const ir::Program& program) {
  std::unordered_set<std::string> found;
  for (int step = 0; step <= kMostSteps; ++step) {
    std::unordered_set<std::string> more;
    for (const ir::Unit* unit : program.units) {
      for (const ir::Function& function : unit->functions) {
        if (found.count(function.key) || !selects(function, found)) continue;
        more.insert(function.key);
        if (function.kind == ir::FunctionKind::kConstructor) more.insert(function.class_key);
      }
    }
    if (more.empty()) break;
    found.merge(more);
  }
  return found;
}

}  // namespace placecheck::dataflow
