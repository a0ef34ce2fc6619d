// Visits every instruction, used register, range or type of a function or a unit, in order.
//
// Reads only; any thread may walk what nobody is changing.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "analyzer/ir/ir.h"

namespace placecheck::ir {

struct InstructionPlace {
  uint32_t block = 0;
  uint32_t index = 0;
};

template <typename Visit>
void walk_instructions(const Function& function, Visit visit) {
  for (uint32_t block = 0; block < function.blocks.size(); ++block) {
    const auto& instructions = function.blocks[block].instructions;
    for (uint32_t i = 0; i < instructions.size(); ++i) {
      visit(instructions[i], InstructionPlace{block, i});
    }
  }
}

template <typename Visit>
void walk_uses(const Instruction& instruction, Visit visit) {
  for (Register operand : instruction.operands) visit(operand);
  for (const Argument& argument : instruction.call.arguments) visit(argument.value);
}

inline bool sets_variable(const Instruction& instruction, std::string_view name) {
  const bool sets = instruction.opcode == Opcode::kStore || instruction.opcode == Opcode::kBind;
  return sets && instruction.symbol == name;
}

// Visits the instructions from which a value is computed, through variables to whatever the
// function stores there.
class OriginWalk {
 public:
  explicit OriginWalk(const Function& function) : function_(function) {}

  template <typename Visit>
  void walk(const Block& block, Register value, Visit&& visit) {
    const Instruction* made = find_definition(block, value);
    if (!made) return;
    visit(*made);
    if (made->opcode == Opcode::kLoad || made->opcode == Opcode::kRef)
      walk_variable(made->symbol, visit);
    else
      walk_uses(*made, [&](Register each) { walk(block, each, visit); });
  }

 private:
  template <typename Visit>
  void walk_variable(const std::string& name, Visit&& visit) {
    if (!seen_.insert(name).second) return;
    for (const Block& block : function_.blocks) {
      for (const Instruction& each : block.instructions) {
        if (sets_variable(each, name)) walk(block, each.operands[0], visit);
      }
    }
  }

  const Function& function_;
  std::set<std::string> seen_;
};

template <typename Visit>
void walk_ranges(const Function& function, Visit visit) {
  visit(function.range);
  for (const Parameter& parameter : function.parameters) visit(parameter.range);
  for (const Slot& slot : function.slots) visit(slot.range);
  walk_instructions(function, [&](const Instruction& instruction, InstructionPlace) {
    visit(instruction.range);
    for (const Argument& argument : instruction.call.arguments) visit(argument.range);
  });
}

template <typename Visit>
void walk_ranges(const Unit& unit, Visit visit) {
  for (const Class& each : unit.classes) {
    visit(each.range);
    for (const Field& field : each.fields) visit(field.range);
  }
  for (const Global& global : unit.globals) visit(global.range);
  for (const Function& function : unit.functions) walk_ranges(function, visit);
}

// The types as written, not the ones nested in them.
template <typename Visit>
void walk_types(const Unit& unit, Visit visit) {
  for (const Class& each : unit.classes) {
    for (const Type& base : each.bases) visit(base);
    for (const Field& field : each.fields) visit(field.type);
  }
  for (const Global& global : unit.globals) visit(global.type);
  for (const Function& function : unit.functions) {
    visit(function.result);
    for (const Parameter& parameter : function.parameters) visit(parameter.type);
    for (const Slot& slot : function.slots) visit(slot.type);
    walk_instructions(function, [&](const Instruction& instruction, InstructionPlace) {
      visit(instruction.call.type);
    });
  }
}

}  // namespace placecheck::ir
