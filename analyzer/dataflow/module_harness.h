// Functions that use a module of a program without types as its users would: an object is made, is
// moved to a GPU, and is asked for one of its methods. For classes whose forward no program runs.
//
// Ownership: the functions are the caller's, and refer to the program by keys only.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/dataflow/program_index.h"
#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

struct ModuleHarness {
  // Imports the file of the class and returns a module, made with the defaults of the constructor's
  // parameters. Its own parameters are those that have none, and those that say a device.
  ir::Function make;
  // Each moves that module, its first parameter, to the current GPU and calls a method of it.
  struct Use {
    const ir::Function* method;
    ir::Function function;
  };
  std::vector<Use> uses;
};

// What else a program does with its modules.
struct ModuleUses {
  // The names of the methods and functions that constructors may call, perhaps through others: they
  // run before a module is moved.
  std::set<std::string> called_before_move;
  // The attributes that functions set, but for constructors that give them to their own object.
  std::map<std::string, std::set<const ir::Function*>> setters;
};

ModuleUses uses_of_modules(const ir::Program& program);

// Nothing for what is no module, for classes whose bases are not all known, for those that have no
// method that a user may call, and for those that move their own parts.
std::optional<ModuleHarness> make_module_harness(ProgramIndex& program, const ir::Unit& unit,
                                                 const ir::Class& type, const ModuleUses& uses);

// The forward that a module of the class has; null if the program does not define it.
const ir::Function* forward_of(ProgramIndex& program, const ir::Class& type);

// Before a method of the module is called, others may have been, which set attributes: what these
// hold is unknown afterwards.
void forget_what_others_set(ProgramIndex& program, const ModuleUses& uses,
                            const ir::Function& method, const Value& module, const Names& names,
                            State& state);

// Whether the constructor has put all of the module on the CPU and kept no device, so that it is
// its user who decides where it goes.
bool is_left_to_user(const State& state, const Value& module, const Names& names);

}  // namespace placecheck::dataflow
