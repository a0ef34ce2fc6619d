#include "analyzer/dataflow/roots.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_set>
#include <vector>

#include "analyzer/dataflow/activation.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/entry.h"
#include "analyzer/dataflow/exports.h"
#include "analyzer/dataflow/harness.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/module_harness.h"
#include "analyzer/dataflow/symbols.h"
#include "analyzer/ir/walk.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"

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

void run_exports(Engine& engine, const ir::Program& program, const State& globals,
                 const OwnsRoot& owns) {
  for (const auto& [function, name] : exported_functions(program)) {
    const ir::Unit* unit = program.unit_of(*function);
    if (unit && !owns(root_identity(*unit, function->range, function->key))) continue;
    State state = callers_state(engine, globals);
    std::vector<Value> arguments = engine.unknown_arguments(*function, state);
    engine.run_exported(*function, state, arguments);
  }
}

// Whether a program in Python declares options of its command line.
bool declares_options(const ir::Program& program) {
  bool declares = false;
  for (const ir::Unit* unit : program.units) {
    for (const ir::Function& function : unit->functions) {
      ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
        declares |= each.call.name == ".add_argument";
      });
    }
  }
  return declares;
}

// Whether a main function compares the number of its arguments, or hands it to a function of the
// program: options may be missing there.
bool counts_arguments(const ir::Program& program, const ir::Function& entry) {
  if (is_dynamic(entry) || entry.parameters.size() < 2) return false;
  std::set<ir::Register> counts;
  bool is_used = false;
  ir::walk_instructions(entry, [&](const ir::Instruction& each, ir::InstructionPlace) {
    if (each.opcode == ir::Opcode::kLoad && each.symbol == entry.parameters[0].name)
      counts.insert(each.result);
    if (each.opcode != ir::Opcode::kCall) return;
    const bool is_followed = each.call.name.starts_with("op.") ||
                             program.find_function(each.call.key, nullptr) != nullptr;
    is_used |= is_followed && std::ranges::any_of(each.call.arguments, [&](const auto& argument) {
                 return counts.count(argument.value) != 0;
               });
  });
  return is_used;
}

// A run without options is one that there is, and decides most of what the options decide.
void run_with_defaults(Engine& engine, const ir::Program& program, const State& globals) {
  for (const ir::Function* entry : program.entries()) {
    if (entry->is_entry && counts_arguments(program, *entry))
      engine.run_root(*entry, globals, {Value::integer(1)});
  }
  if (!declares_options(program)) return;
  State state = globals;
  state.set_global(engine.names().intern(kHasDefaults), Value::boolean(true));
  for (const ir::Function* entry : program.entries()) {
    if (entry->is_entry) engine.run_root(*entry, state, {});
  }
}

struct UnusedClass {
  const ir::Unit* unit;
  const ir::Class* type;
};

// Those that the program does not make, or never moves: whoever links them will.
std::vector<UnusedClass> unused_classes(Engine& engine, const ir::Program& program,
                                        const OwnsRoot& owns) {
  std::vector<UnusedClass> unused;
  for (const ir::Unit* unit : program.units) {
    for (const ir::Class& type : unit->classes) {
      if (!owns(root_identity(*unit, type.range, type.key))) continue;
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

// Modules that the program makes perhaps, and does not run.
std::vector<UnusedClass> modules_without_run(Engine& engine, const ir::Program& program,
                                             const OwnsRoot& owns) {
  std::vector<UnusedClass> unused;
  for (const ir::Unit* unit : program.units) {
    for (const ir::Class& type : unit->classes) {
      if (!is_dynamic(type) || !owns(root_identity(*unit, type.range, type.key))) continue;
      const ir::Function* forward = forward_of(engine.program(), type);
      if (forward && !engine.was_visited(*forward)) unused.push_back({unit, &type});
    }
  }
  return unused;
}

// Moves the module that `made` returned, and calls one of its methods. `before`: the state in which
// the call that made it began.
void run_use(Engine& engine, const UnusedClass& module, const ModuleHarness::Use& use,
             const ModuleUses& uses, const State& before, const Exit& made) {
  const ir::Function& function = engine.program().keep(use.function, *module.unit);
  State state = made.state;
  state.slots = before.slots;
  state.thread = before.thread;
  forget_what_others_set(engine.program(), uses, *use.method, made.value, engine.names(), state);
  Value used = Value::string(engine.names().intern(module.type->name));
  used.origin = engine.add_origin(OriginKind::kBuilt, {module.unit, module.type->range});
  state.set_global(engine.names().intern(kUsedModule), used);
  std::vector<Value> given = engine.unknown_arguments(function, state, 1);
  given.insert(given.begin(), made.value);
  engine.run_root(function, state, given);
}

// The module is moved to a GPU, which a parameter such as `use_gpu` may contradict: conditions on
// those parameters are in doubt.
std::vector<Value> arguments_of_maker(Engine& engine, const ir::Function& make, State& state) {
  std::vector<Value> arguments = engine.unknown_arguments(make, state);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = make.parameters[i].name;
    if (!says_device(name)) continue;
    Names& names = engine.names();
    arguments[i] = Value::unknown();
    arguments[i].name = lost_identity(parameter_identity(name, make.key, names), names);
  }
  return arguments;
}

// Makes a module of the class, and uses it in each way, for each way in which its constructor ends.
void run_module_harness(Engine& engine, const UnusedClass& module, const ModuleUses& uses,
                        const State& globals) {
  std::optional<ModuleHarness> harness =
      make_module_harness(engine.program(), *module.unit, *module.type, uses);
  if (!harness) return;
  const ir::Function& make = engine.program().keep(std::move(harness->make), *module.unit);
  State state = callers_state(engine, globals);
  const std::vector<Value> arguments = arguments_of_maker(engine, make, state);
  const Summary* made = engine.run_root(make, state, arguments);
  if (!made) return;
  const State before = made->entry.state;
  for (const Exit& exit : std::vector<Exit>(made->exits)) {
    if (!is_left_to_user(exit.state, exit.value, engine.names())) continue;
    for (const ModuleHarness::Use& use : harness->uses)
      run_use(engine, module, use, uses, before, exit);
  }
}

void run_module_harnesses(Engine& engine, const ir::Program& program, const OwnsRoot& owns,
                          const State& globals) {
  const std::vector<UnusedClass> modules = modules_without_run(engine, program, owns);
  if (modules.empty()) return;
  const ModuleUses uses = uses_of_modules(program);
  for (const UnusedClass& each : modules) run_module_harness(engine, each, uses, globals);
}

}  // namespace

RootIdentity root_identity(const ir::Unit& unit, const ir::Range& range, std::string_view key) {
  return {unit.files[range.file], range.line, range.column, key};
}

size_t RootOwners::Hash::operator()(const RootIdentity& root) const {
  const auto& [file, line, column, key] = root;
  return llvm::hash_combine(llvm::StringRef(file), line, column, llvm::StringRef(key));
}

// llvm::hash_combine may differ from run to run.
static uint64_t digest_of(const RootIdentity& root) {
  const auto& [file, line, column, key] = root;
  std::string bytes(file);
  bytes += "\n" + std::to_string(line) + ":" + std::to_string(column) + " ";
  bytes += key;
  return llvm::xxh3_64bits(bytes);
}

RootOwners::RootOwners(std::span<const ir::Program> programs) {
  if (programs.size() < 2) return;
  std::vector<size_t> by_size(programs.size());
  std::iota(by_size.begin(), by_size.end(), size_t{0});
  std::ranges::stable_sort(by_size, {}, [&](size_t i) { return programs[i].units.size(); });
  // That a function is exported shows only in the programs that hold its registration.
  for (size_t program : by_size) {
    for (const auto& [function, name] : exported_functions(programs[program])) {
      const ir::Unit* unit = programs[program].unit_of(*function);
      if (unit) owners_.try_emplace(root_identity(*unit, function->range, function->key), program);
    }
  }
  std::unordered_map<const ir::Unit*, size_t> seen;
  for (size_t program : by_size) {
    for (const ir::Unit* unit : programs[program].units) {
      if (!seen.try_emplace(unit, program).second) continue;
      for (const ir::Function& each : unit->functions)
        owners_.try_emplace(root_identity(*unit, each.range, each.key), program);
      for (const ir::Class& each : unit->classes)
        owners_.try_emplace(root_identity(*unit, each.range, each.key), program);
    }
  }
  digests_.resize(programs.size());
  // The table has no order.
  for (const auto& [root, program] : owners_) digests_[program] += digest_of(root);
}

bool RootOwners::owns(size_t program, const RootIdentity& root) const {
  const auto owner = owners_.find(root);
  return owner == owners_.end() || owner->second == program;
}

uint64_t RootOwners::digest_of_owned(size_t program) const {
  constexpr uint64_t kAll = ~uint64_t{0};
  return digests_.empty() ? kAll : digests_[program];
}

void run_program(Engine& engine, const ir::Program& program, const OwnsRoot& owns_root) {
  auto owns = [&](const RootIdentity& root) { return !owns_root || owns_root(root); };
  State globals = engine.initial_state();
  run_with_defaults(engine, program, globals);
  for (const ir::Function* entry : program.entries()) {
    if (entry->is_entry) engine.run_root(*entry, globals, {});
  }
  run_exports(engine, program, globals, owns);
  std::vector<UnusedClass> unused = unused_classes(engine, program, owns);
  run_module_harnesses(engine, program, owns, globals);
  std::unordered_set<std::string> called = called_keys(program);
  // A header's functions are the same in each file that includes it.
  std::set<RootIdentity> done;
  auto run_functions = [&](auto&& is_chosen) {
    for (const ir::Unit* unit : program.units) {
      for (const ir::Function& function : unit->functions) {
        if (engine.was_visited(function))
          done.insert(root_identity(*unit, function.range, function.key));
      }
    }
    for (const ir::Unit* unit : program.units) {
      for (const ir::Function& function : unit->functions) {
        if (!is_chosen(function) || engine.was_visited(function)) continue;
        const RootIdentity root = root_identity(*unit, function.range, function.key);
        if (owns(root) && done.insert(root).second) run_alone(engine, function, globals);
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
