#include "analyzer/dataflow/device_selection.h"

#include <algorithm>
#include <optional>

#include "analyzer/models/libraries/effects.h"
#include "analyzer/models/libraries/python_names.h"

namespace placecheck::dataflow {
namespace {

// A wrapper that checks the call's status, and a helper around it. What lies further out does much
// else as well, and its counters need not number devices.
constexpr int kMostSteps = 2;

using models::Effect;

bool selects_itself(const ir::Instruction& each) {
  std::optional<Effect> effect = models::find_effect(each.call.name);
  return models::selects_device(effect) || effect == Effect::kDeviceGuard;
}

// `torch.device("cuda", i)`, `x.cuda(i)`, `torch.cuda.set_device(i)`.
bool names_device_in_python(const ir::Call& call) {
  if (call.arguments.empty()) return false;
  const bool has_number = call.arguments.size() == 2;
  return (has_number && (call.name == "torch.device" || call.name == ".cuda")) ||
         (call.arguments.size() == 1 && call.name.starts_with("torch.cuda.") &&
          models::find_python_function(call.name));
}

bool is_parameter(const ir::Function& function, const std::string& name) {
  return std::ranges::any_of(function.parameters,
                             [&](const ir::Parameter& each) { return each.name == name; });
}

// `Device(kCUDA, rank)` of a parameter, or of a capture, which is one.
bool names_given_device(const ir::Function& function) {
  std::unordered_set<ir::Register> given;
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (each.opcode == ir::Opcode::kLoad && is_parameter(function, each.symbol))
        given.insert(each.result);
      if (given.count(number_of_named_device(each)) != 0) return true;
    }
  }
  return false;
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
  return names_given_device(function);
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

ir::Register number_of_named_device(const ir::Instruction& instruction) {
  const ir::Call& call = instruction.call;
  if (instruction.opcode != ir::Opcode::kCall) return ir::kNoRegister;
  bool makes_device =
      call.arguments.size() > 1 && models::find_effect(call.name) == Effect::kMakeDevice;
  // options.device(torch::kCUDA, i)
  bool is_option = call.arguments.size() > 2 && call.name == "c10::TensorOptions::device";
  return makes_device || is_option || names_device_in_python(call) ? call.arguments.back().value
                                                                   : ir::kNoRegister;
}

}  // namespace placecheck::dataflow
