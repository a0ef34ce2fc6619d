#include "analyzer/ir/verify.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_set>

#include "analyzer/ir/opcode_table.h"
#include "analyzer/ir/walk.h"

namespace placecheck::ir {
namespace {

using NameSet = std::unordered_set<std::string_view>;

std::string in(const Function& function) { return "function '" + function.key + "'"; }

std::string in(const Function& function, const InstructionPlace& place) {
  return in(function) + ", bb" + std::to_string(place.block) + ", instruction " +
         std::to_string(place.index);
}

template <typename Check>
void for_each_instruction(const Unit& unit, Check check) {
  for (const Function& function : unit.functions) {
    walk_instructions(function, [&](const Instruction& instruction, InstructionPlace place) {
      check(function, instruction, place);
    });
  }
}

void has_a_file(const Unit& unit, Report& report) {
  if (unit.files.empty()) report.add("the unit names no file");
}

void function_keys_are_unique(const Unit& unit, Report& report) {
  NameSet seen;
  for (const Function& function : unit.functions) {
    if (function.key.empty()) report.add("a function '" + function.name + "' without a key");
    if (!seen.insert(function.key).second) report.add(in(function));
  }
}

void class_keys_are_unique(const Unit& unit, Report& report) {
  NameSet seen;
  for (const Class& each : unit.classes) {
    if (each.key.empty()) report.add("a class '" + each.name + "' without a key");
    if (!seen.insert(each.key).second) report.add("class '" + each.key + "'");
  }
}

void global_slots_are_unique(const Unit& unit, Report& report) {
  NameSet seen;
  for (const Global& global : unit.globals) {
    if (!global.slot.starts_with('@') || !seen.insert(global.slot).second) {
      report.add("global '" + global.slot + "'");
    }
  }
}

void range_files_exist(const Unit& unit, Report& report) {
  walk_ranges(unit, [&](const Range& range) {
    if (range.valid() && range.file >= unit.files.size()) {
      report.add("line " + std::to_string(range.line) + " of file " + std::to_string(range.file));
    }
  });
}

void ranges_run_forward(const Unit& unit, Report& report) {
  walk_ranges(unit, [&](const Range& range) {
    bool is_forward =
        std::tie(range.line, range.column) <= std::tie(range.end_line, range.end_column);
    if (range.valid() && (range.column == 0 || !is_forward)) {
      report.add("line " + std::to_string(range.line) + " of file " + std::to_string(range.file));
    }
  });
}

bool is_too_deep(const Type& type, uint32_t depth = 1) {
  if (depth > kMaxTypeDepth) return true;
  return std::any_of(type.arguments.begin(), type.arguments.end(),
                     [&](const Type& argument) { return is_too_deep(argument, depth + 1); });
}

void types_are_shallow(const Unit& unit, Report& report) {
  walk_types(unit, [&](const Type& type) {
    if (is_too_deep(type)) report.add("a type nested deeper than " + std::to_string(kMaxTypeDepth));
  });
}

void required_parameters_fit(const Unit& unit, Report& report) {
  for (const Class& each : unit.classes) {
    for (const Method& method : each.methods) {
      if (method.required > method.arity) {
        report.add("class '" + each.key + "', method '" + method.name + "'");
      }
    }
  }
}

void slots_are_unique(const Unit& unit, Report& report) {
  for (const Function& function : unit.functions) {
    NameSet seen;
    for (const Slot& slot : function.slots) {
      if (slot.name.empty() || slot.name[0] == '@' || !seen.insert(slot.name).second) {
        report.add(in(function) + ", slot '" + slot.name + "'");
      }
    }
  }
}

NameSet slot_names(const Function& function) {
  NameSet names;
  for (const Slot& slot : function.slots) names.insert(slot.name);
  return names;
}

void parameters_are_slots(const Unit& unit, Report& report) {
  for (const Function& function : unit.functions) {
    NameSet slots = slot_names(function);
    // Erasing makes a second parameter of the same name stand out as well.
    for (const Parameter& parameter : function.parameters) {
      if (slots.erase(parameter.name) == 0) {
        report.add(in(function) + ", parameter '" + parameter.name + "'");
      }
    }
  }
}

void captures_are_parameters(const Unit& unit, Report& report) {
  for (const Function& function : unit.functions) {
    bool may_capture = function.kind == FunctionKind::kLambda;
    if (function.captures > (may_capture ? function.parameters.size() : 0)) {
      report.add(in(function));
    }
  }
}

void methods_have_this(const Unit& unit, Report& report) {
  for (const Function& function : unit.functions) {
    bool is_member =
        function.kind == FunctionKind::kMethod || function.kind == FunctionKind::kConstructor;
    bool has_this = !function.parameters.empty() && function.parameters[0].name == "this";
    if (is_member && (!has_this || function.class_key.empty())) report.add(in(function));
  }
}

void functions_have_a_block(const Unit& unit, Report& report) {
  for (const Function& function : unit.functions) {
    if (function.blocks.empty()) report.add(in(function));
  }
}

void terminators_come_last(const Unit& unit, Report& report) {
  for (const Function& function : unit.functions) {
    for (uint32_t block = 0; block < function.blocks.size(); ++block) {
      const auto& instructions = function.blocks[block].instructions;
      if (instructions.empty()) report.add(in(function, {block, 0}));
      for (uint32_t i = 0; i < instructions.size(); ++i) {
        bool is_last = i + 1 == instructions.size();
        if (is_terminator(instructions[i].opcode) != is_last) report.add(in(function, {block, i}));
      }
    }
  }
}

void target_counts_fit(const Unit& unit, Report& report) {
  for_each_instruction(
      unit, [&](const Function& function, const Instruction& instruction, InstructionPlace place) {
        if (instruction.targets.size() != row_of(instruction.opcode).targets) {
          report.add(in(function, place));
        }
      });
}

void targets_exist(const Unit& unit, Report& report) {
  for_each_instruction(
      unit, [&](const Function& function, const Instruction& instruction, InstructionPlace place) {
        for (uint32_t target : instruction.targets) {
          if (target >= function.blocks.size()) {
            report.add(in(function, place) + ": bb" + std::to_string(target));
          }
        }
      });
}

void operand_counts_fit(const Unit& unit, Report& report) {
  for_each_instruction(
      unit, [&](const Function& function, const Instruction& instruction, InstructionPlace place) {
        const OpcodeRow& row = row_of(instruction.opcode);
        size_t count = instruction.operands.size();
        if (count < row.min_operands || count > row.max_operands) report.add(in(function, place));
      });
}

void results_fit(const Unit& unit, Report& report) {
  for_each_instruction(
      unit, [&](const Function& function, const Instruction& instruction, InstructionPlace place) {
        ResultRule rule = row_of(instruction.opcode).result;
        bool has_result = instruction.result != kNoRegister;
        if (rule != ResultRule::kOptional && has_result != (rule == ResultRule::kRequired)) {
          report.add(in(function, place));
        }
      });
}

void registers_are_defined_once(const Unit& unit, Report& report) {
  for (const Function& function : unit.functions) {
    std::unordered_set<Register> seen;
    walk_instructions(function, [&](const Instruction& instruction, InstructionPlace place) {
      if (place.index == 0) seen.clear();
      if (instruction.result != kNoRegister && !seen.insert(instruction.result).second) {
        report.add(in(function, place) + ": %" + std::to_string(instruction.result));
      }
    });
  }
}

void registers_are_defined_before_use(const Unit& unit, Report& report) {
  for (const Function& function : unit.functions) {
    std::unordered_set<Register> defined;
    walk_instructions(function, [&](const Instruction& instruction, InstructionPlace place) {
      if (place.index == 0) defined.clear();
      walk_uses(instruction, [&](Register used) {
        if (defined.count(used) != 0) return;
        std::string name = used == kNoRegister ? "_" : std::to_string(used);
        report.add(in(function, place) + ": %" + name);
      });
      if (instruction.result != kNoRegister) defined.insert(instruction.result);
    });
  }
}

void slots_are_declared(const Unit& unit, Report& report) {
  for (const Function& function : unit.functions) {
    NameSet slots = slot_names(function);
    walk_instructions(function, [&](const Instruction& instruction, InstructionPlace place) {
      if (row_of(instruction.opcode).symbol != SymbolRule::kSlot) return;
      // A global may be declared in another unit.
      if (instruction.symbol.starts_with('@') || slots.count(instruction.symbol) != 0) return;
      report.add(in(function, place) + ": '" + instruction.symbol + "'");
    });
  }
}

void symbols_are_named(const Unit& unit, Report& report) {
  for_each_instruction(
      unit, [&](const Function& function, const Instruction& instruction, InstructionPlace place) {
        SymbolRule rule = row_of(instruction.opcode).symbol;
        bool needs_name = rule == SymbolRule::kField || rule == SymbolRule::kFunction;
        if (needs_name && instruction.symbol.empty()) report.add(in(function, place));
      });
}

bool is_blank(const Call& call) {
  return call.name.empty() && call.key.empty() && call.arguments.empty() && !call.discarded &&
         !call.caught && call.type == Type();
}

// The text and the binary form write only what an opcode has.
void nothing_is_stray(const Unit& unit, Report& report) {
  for_each_instruction(
      unit, [&](const Function& function, const Instruction& instruction, InstructionPlace place) {
        Opcode opcode = instruction.opcode;
        bool symbol = row_of(opcode).symbol == SymbolRule::kNone && !instruction.symbol.empty();
        bool literal = opcode != Opcode::kConst && instruction.literal != Literal();
        bool call = opcode != Opcode::kCall && !is_blank(instruction.call);
        if (symbol || literal || call) report.add(in(function, place));
      });
}

void only_branches_loop(const Unit& unit, Report& report) {
  for_each_instruction(
      unit, [&](const Function& function, const Instruction& instruction, InstructionPlace place) {
        if (instruction.loop && instruction.opcode != Opcode::kBranch)
          report.add(in(function, place));
      });
}

void only_addresses_are_taken(const Unit& unit, Report& report) {
  for_each_instruction(
      unit, [&](const Function& function, const Instruction& instruction, InstructionPlace place) {
        if (instruction.taken && !is_address(instruction.opcode)) report.add(in(function, place));
      });
}

// A direct call without a name is a call of nothing: what it yields is unknown.
void calls_are_named(const Unit& unit, Report& report) {
  for_each_instruction(
      unit, [&](const Function& function, const Instruction& instruction, InstructionPlace place) {
        CallKind kind = instruction.call.kind;
        bool needs_name = kind == CallKind::kMethod || kind == CallKind::kConstruct ||
                          !instruction.call.key.empty();
        if (instruction.opcode == Opcode::kCall && needs_name && instruction.call.name.empty()) {
          report.add(in(function, place));
        }
      });
}

void calls_have_their_object(const Unit& unit, Report& report) {
  for_each_instruction(unit, [&](const Function& function, const Instruction& instruction,
                                 InstructionPlace place) {
    CallKind kind = instruction.call.kind;
    bool needs_object = kind == CallKind::kMethod || kind == CallKind::kIndirect;
    if (instruction.opcode == Opcode::kCall && needs_object && instruction.call.arguments.empty()) {
      report.add(in(function, place));
    }
  });
}

constexpr Invariant kInvariants[] = {
    {"a unit has a file", has_a_file},
    {"function keys are unique", function_keys_are_unique},
    {"class keys are unique", class_keys_are_unique},
    {"global slots are unique and begin with @", global_slots_are_unique},
    {"the files of ranges exist", range_files_exist},
    {"ranges run forward", ranges_run_forward},
    {"types are not too deep", types_are_shallow},
    {"no more required parameters than parameters", required_parameters_fit},
    {"slots are unique and local", slots_are_unique},
    {"parameters are slots", parameters_are_slots},
    {"captures are parameters of lambdas", captures_are_parameters},
    {"methods have a class and begin with this", methods_have_this},
    {"functions have a block", functions_have_a_block},
    {"blocks end with their one terminator", terminators_come_last},
    {"the number of targets fits the opcode", target_counts_fit},
    {"targets exist", targets_exist},
    {"the number of operands fits the opcode", operand_counts_fit},
    {"a result where the opcode has one", results_fit},
    {"registers are defined once in a block", registers_are_defined_once},
    {"registers are defined before use in their block", registers_are_defined_before_use},
    {"slots are declared", slots_are_declared},
    {"fields and closures are named", symbols_are_named},
    {"instructions hold only what their opcode has", nothing_is_stray},
    {"only branches decide loops", only_branches_loop},
    {"only addresses are taken", only_addresses_are_taken},
    {"calls are named", calls_are_named},
    {"method and indirect calls have their object", calls_have_their_object},
};

}  // namespace

std::span<const Invariant> invariants() { return kInvariants; }

std::vector<Violation> verify(const Unit& unit) {
  std::vector<Violation> violations;
  for (const Invariant& invariant : kInvariants) {
    Report report(invariant.name, violations);
    invariant.check(unit, report);
  }
  return violations;
}

std::vector<Violation> drop_unsound_functions(Unit& unit) {
  std::vector<Violation> dropped;
  if (verify(unit).empty()) return dropped;
  Unit alone;
  alone.files = unit.files;
  std::erase_if(unit.functions, [&](Function& function) {
    alone.functions.clear();
    alone.functions.push_back(function);
    std::vector<Violation> violations = verify(alone);
    if (!violations.empty()) dropped.push_back(violations.front());
    return !violations.empty();
  });
  return dropped;
}

std::string to_string(const std::vector<Violation>& violations) {
  std::string text;
  for (const Violation& each : violations) {
    text += std::string(each.invariant) + ": " + each.where + "\n";
  }
  return text;
}

}  // namespace placecheck::ir
