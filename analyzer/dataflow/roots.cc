#include "analyzer/dataflow/roots.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "analyzer/dataflow/entry.h"
#include "analyzer/dataflow/exports.h"
#include "analyzer/dataflow/harness.h"

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

// The state in which a caller of whom nothing is known calls.
State callers_state(Engine& engine, const State& globals) {
  State state = globals;
  if (engine.follows_setup() && state.setup.start == DeviceSetup::Start::kNo)
    state.setup.start = DeviceSetup::Start::kUnknown;
  state.thread.device_is_callers = true;
  state.thread.collectives.is_callers = true;
  return state;
}

// Runs one function of which no caller is known.
void run_alone(Engine& engine, const ir::Function& function, const State& globals) {
  State state = callers_state(engine, globals);
  std::vector<Value> arguments = engine.unknown_arguments(function, state);
  engine.run_root(function, state, arguments);
}

void run_exports(Engine& engine, const ir::Program& program, const State& globals) {
  for (const auto& [function, name] : exported_functions(program)) {
    State state = callers_state(engine, globals);
    std::vector<Value> arguments = engine.unknown_arguments(*function, state);
    engine.run_exported(*function, state, arguments);
  }
}

// Where a function stands and what it is called: the same for each file that includes its header.
using Identity = std::tuple<std::string_view, uint32_t, uint32_t, std::string_view>;

Identity identity(const ir::Unit& unit, const ir::Function& function) {
  return {unit.files[function.range.file], function.range.line, function.range.column,
          function.key};
}

struct UnusedClass {
  const ir::Unit* unit;
  const ir::Class* type;
};

// Those that the program does not make, or never moves: whoever links them will.
std::vector<UnusedClass> unused_classes(Engine& engine, const ir::Program& program) {
  std::vector<UnusedClass> unused;
  for (const ir::Unit* unit : program.units) {
    for (const ir::Class& type : unit->classes) {
      const ir::Method* mover = mover_of(program, *unit, type);
      bool is_used =
          std::any_of(type.methods.begin(), type.methods.end(), [&](const ir::Method& method) {
            const ir::Function* function = program.find_function(method.key, unit);
            bool decides = mover ? &method == mover : method.is_constructor;
            return decides && function && engine.was_visited(*function);
          });
      if (!is_used) unused.push_back({unit, &type});
    }
  }
  return unused;
}

void run_harnesses(Engine& engine, const ir::Program& program,
                   const std::vector<UnusedClass>& classes, const State& globals) {
  for (const auto& [unit, type] : classes) {
    std::optional<ir::Function> harness = make_harness(program, *unit, *type);
    if (harness) run_alone(engine, engine.program().keep(std::move(*harness), *unit), globals);
  }
}

}  // namespace

void run_program(Engine& engine, const ir::Program& program) {
  State globals = engine.initial_state();
  for (const ir::Function* entry : program.entries()) {
    if (entry->is_entry) engine.run_root(*entry, globals, {});
  }
  run_exports(engine, program, globals);
  std::vector<UnusedClass> unused = unused_classes(engine, program);
  std::unordered_set<std::string> called = called_keys(program);
  // A header's functions are the same in each file that includes it.
  std::set<Identity> done;
  auto run_functions = [&](auto&& is_chosen) {
    for (const ir::Unit* unit : program.units) {
      for (const ir::Function& function : unit->functions) {
        if (engine.was_visited(function)) done.insert(identity(*unit, function));
      }
    }
    for (const ir::Unit* unit : program.units) {
      for (const ir::Function& function : unit->functions) {
        bool is_due = is_chosen(function) && !engine.was_visited(function);
        if (is_due && done.insert(identity(*unit, function)).second)
          run_alone(engine, function, globals);
      }
    }
  };
  auto is_member = [](const ir::Function& function) {
    return function.kind == ir::FunctionKind::kMethod ||
           function.kind == ir::FunctionKind::kConstructor;
  };
  auto is_free = [](const ir::Function& function) {
    return function.kind == ir::FunctionKind::kFunction;
  };
  auto is_uncalled = [&](const ir::Function& function) { return !called.count(function.key); };
  run_functions([&](const ir::Function& f) { return is_free(f) && is_uncalled(f); });
  run_harnesses(engine, program, unused, globals);
  run_functions([&](const ir::Function& f) { return is_member(f) && is_uncalled(f); });
  run_functions([&](const ir::Function& f) { return is_free(f) || is_member(f); });
  engine.settle();
}

}  // namespace placecheck::dataflow
