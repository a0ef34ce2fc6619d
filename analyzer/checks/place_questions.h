// Where code asks for the places of tensors, as a check of devices does: itself, or in helpers.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "analyzer/dataflow/program_index.h"
#include "analyzer/ir/ir.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace placecheck::checks {

// A call that asks, or that calls a function which asks, in `block`.
using VisitQuestion = llvm::function_ref<void(const ir::Block& block, const ir::Instruction& call)>;

// Looks at each function of a program once.
class PlaceQuestions {
 public:
  explicit PlaceQuestions(dataflow::ProgramIndex& program) : program_(program) {}

  void walk(const ir::Function& function, VisitQuestion visit);
  // Questions whose answers only select a device do not count.
  bool asks(const ir::Function& function);

 private:
  void walk(const ir::Function& function, int depth, VisitQuestion visit);
  bool asks(const ir::Function& function, int depth);
  bool find_question(const ir::Function& function, int depth);
  bool leads_to_question(const ir::Instruction& each, const ir::Unit* unit, int depth);

  dataflow::ProgramIndex& program_;
  std::map<std::pair<const ir::Function*, int>, bool> answers_;  // by depth
};

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
