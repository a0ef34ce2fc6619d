// Where code asks for the places of tensors, as a check of devices does: itself, or in helpers.
#pragma once

#include <set>
#include <string>

#include "analyzer/checks/check.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace placecheck::checks {

// A call that asks, or that calls a function which asks, in `block`.
using VisitQuestion = llvm::function_ref<void(const ir::Block& block, const ir::Instruction& call)>;

void walk_place_questions(const ir::Function& function, dataflow::ProgramIndex& program,
                          VisitQuestion visit);
// Questions whose answers only select a device do not count.
bool asks_for_places(const ir::Function& function, dataflow::ProgramIndex& program);

// A question itself, and not a call of a function that asks.
bool is_place_question(const ir::Instruction& instruction);

// The parameters of `function` from which the arguments of a call are computed. `is_open`: some
// come from elsewhere, such as a global.
struct GivenParameters {
  std::set<std::string> names;
  bool is_open = false;
};
GivenParameters parameters_given(const ir::Function& function, const ir::Block& block,
                                 const ir::Instruction& call);

}  // namespace placecheck::checks
