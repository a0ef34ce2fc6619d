#include "analyzer/checks/place_questions.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "analyzer/dataflow/effects.h"
#include "analyzer/ir/walk.h"

namespace placecheck::checks {
namespace {

// Helpers that check may call others that do.
constexpr int kMostHelpers = 3;

// What the devices that a function selects are computed from.
std::set<const ir::Instruction*> selecting_instructions(const ir::Function& function) {
  std::set<const ir::Instruction*> found;
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (!dataflow::selects_or_guards_device(each)) continue;
      for (const ir::Argument& argument : each.call.arguments)
        ir::OriginWalk(function).walk(block, argument.value,
                                      [&](const ir::Instruction& made) { found.insert(&made); });
    }
  }
  return found;
}

// Whether nothing in the function says what a value is: a global, the result of a call without
// arguments.
bool is_from_elsewhere(const ir::Instruction& made, const ir::Function& function) {
  if (made.opcode == ir::Opcode::kCall) return made.call.arguments.empty();
  if (made.opcode != ir::Opcode::kLoad && made.opcode != ir::Opcode::kRef) return false;
  bool is_set = false;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
    is_set |= ir::sets_variable(each, made.symbol);
  });
  return !is_set;
}

}  // namespace

bool is_place_question(const ir::Instruction& instruction) {
  if (instruction.opcode != ir::Opcode::kCall) return false;
  constexpr std::string_view kQuestions[] = {"device",     "device_type",      "dispatch_key",
                                             "get_device", "get_device_index", "is_cpu",
                                             "is_cuda",    "key_set",          "type"};
  const std::string& name = instruction.call.name;
  const bool is_tensors = name.starts_with("at::Tensor") || name.find("Tensor::") != name.npos ||
                          name.find("TensorView::") != name.npos;
  const std::string_view last = ir::last_component(name);
  return (is_tensors && std::ranges::find(kQuestions, last) != std::end(kQuestions)) ||
         last.starts_with("check") || last.starts_with("Check") || last.starts_with("CHECK");
}

void PlaceQuestions::walk(const ir::Function& function, VisitQuestion visit) {
  walk(function, kMostHelpers, visit);
}

bool PlaceQuestions::asks(const ir::Function& function) { return asks(function, kMostHelpers); }

void PlaceQuestions::walk(const ir::Function& function, int depth, VisitQuestion visit) {
  const ir::Unit* unit = program_.unit_of(function);
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (is_place_question(each) || leads_to_question(each, unit, depth)) visit(block, each);
    }
  }
}

bool PlaceQuestions::asks(const ir::Function& function, int depth) {
  const std::pair key(&function, depth);
  if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
  return answers_[key] = find_question(function, depth);
}

bool PlaceQuestions::find_question(const ir::Function& function, int depth) {
  const std::set<const ir::Instruction*> selecting = selecting_instructions(function);
  bool found = false;
  walk(function, depth, [&](const ir::Block&, const ir::Instruction& each) {
    found |= !is_place_question(each) || !selecting.contains(&each);
  });
  return found;
}

// A call of a function that asks, or a function value that does.
bool PlaceQuestions::leads_to_question(const ir::Instruction& each, const ir::Unit* unit,
                                       int depth) {
  const bool is_value = each.opcode == ir::Opcode::kClosure;
  if ((!is_value && each.opcode != ir::Opcode::kCall) || depth == 0) return false;
  const std::string& key = is_value ? each.symbol : each.call.key;
  const ir::Function* callee = key.empty() ? nullptr : program_.find_function(key, unit);
  return callee && asks(*callee, depth - 1);
}

GivenParameters parameters_given(const ir::Function& function, const ir::Block& block,
                                 const ir::Instruction& call) {
  GivenParameters given;
  ir::OriginWalk origins(function);
  const auto note = [&](const ir::Instruction& made) {
    const bool is_parameter = std::ranges::any_of(
        function.parameters, [&](const auto& each) { return each.name == made.symbol; });
    if (is_parameter)
      given.names.insert(made.symbol);
    else
      given.is_open |= is_from_elsewhere(made, function);
  };
  ir::walk_uses(call, [&](ir::Register each) { origins.walk(block, each, note); });
  return given;
}

}  // namespace placecheck::checks
