#include "analyzer/dataflow/roots.h"

#include <algorithm>
#include <unordered_set>

#include "analyzer/dataflow/entry.h"

namespace placecheck::dataflow {
namespace {

// Keys of the functions that some other function calls.
std::unordered_set<std::string> called_keys(const ir::Program& program) {
  std::unordered_set<std::string> keys;
  for (const ir::Unit* unit : program.units) {
    for (const ir::Function& function : unit->functions) {
      for (const ir::Block& block : function.blocks) {
        for (const ir::Instruction& instruction : block.instructions) {
          bool names_function =
              instruction.opcode == ir::Opcode::kCall || instruction.opcode == ir::Opcode::kClosure;
          if (!names_function) continue;
          const std::string& key =
              instruction.opcode == ir::Opcode::kCall ? instruction.call.key : instruction.symbol;
          if (key != function.key) keys.insert(key);
        }
      }
    }
  }
  return keys;
}

// Runs one function of which no caller is known.
void run_alone(Engine& engine, const ir::Unit& unit, const ir::Function& function,
               const State& globals) {
  State state = globals;
  auto allocate = [&] { return state.object_count(); };
  std::vector<Value> arguments;
  for (const ir::Parameter& parameter : function.parameters) {
    std::string label = parameter.name + "#" + function.key;
    ir::Type type = parameter.type;
    bool is_self = parameter.name == "this" && type.kind == ir::TypeKind::kUnknown;
    if (is_self) type = {ir::TypeKind::kRecord, function.class_key, {}};
    if (type.kind == ir::TypeKind::kPointer && !type.arguments.empty())
      type = ir::Type(type.arguments[0]);
    arguments.push_back(engine.symbolic(type, label, state, allocate, &unit));
  }
  engine.run_root(function, std::move(state), std::move(arguments));
}

}  // namespace

void run_program(Engine& engine, const ir::Program& program) {
  State globals = engine.initial_state();
  for (const ir::Function* entry : program.entries()) {
    if (entry->is_entry) engine.run_root(*entry, globals, {});
  }
  std::unordered_set<std::string> called = called_keys(program);
  for (bool only_uncalled : {true, false}) {
    for (const ir::Unit* unit : program.units) {
      for (const ir::Function& function : unit->functions) {
        bool is_code = function.kind == ir::FunctionKind::kFunction ||
                       function.kind == ir::FunctionKind::kMethod ||
                       function.kind == ir::FunctionKind::kConstructor;
        if (!is_code || engine.was_visited(function)) continue;
        if (only_uncalled && called.count(function.key)) continue;
        run_alone(engine, *unit, function, globals);
      }
    }
  }
}

}  // namespace placecheck::dataflow
