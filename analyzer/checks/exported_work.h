// What the rules about exported functions share: whose tensors an operation works on, what was
// compared on the way, and how the way to it is told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/checks/check.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace placecheck::checks {

// "this kernel", or the routine in quotes.
std::string what_runs(const dataflow::DeviceWorkEvent& event);

// The symbols of the tensors that a caller passed and the operation works on.
std::vector<dataflow::Name> callers_tensors(const dataflow::DeviceWorkEvent& event);

// Whether this path has decided a condition about both names. `text` is a symbol's.
bool is_compared(const dataflow::View& view, dataflow::Name with, dataflow::Name other);
bool is_compared_with_current(const dataflow::View& view);

// "scale" for people; a lambda by what it is.
std::string name_of(const ir::Function& function);
// The parameter that a symbol stands for: "x", or "xs" for what is in it.
std::string parameter_of(dataflow::Name symbol, const dataflow::View& view);

// Whether a symbol stands for a parameter of the exported function, or for what is in one: of
// others nobody knows which tensor they are.
bool is_of_parameter(dataflow::Name symbol, const dataflow::View& view);

bool takes_tensor(const ir::Function& function);
// Whether the exported function has a tensor of that name as a parameter of its own.
bool is_tensor_parameter(const std::string& name, const dataflow::View& view);

// Noted where the exported function gives work to the device that its caller left current.
std::string look_up_of_missing_guard(const ir::Function& exported);

// Notes from where the exported function begins to the operation.
void add_way(findings::Finding& finding, const dataflow::View& view);

// The functions whose sources are around the operation, the calls that led to it, and the exported
// function.
std::vector<const ir::Function*> functions_on_the_way(const dataflow::Site& site,
                                                      const dataflow::View& view);
// Whether one of them has a call to a function whose name fits.
bool is_called_on_the_way(llvm::function_ref<bool(std::string_view)> fits,
                          const dataflow::Site& site, const dataflow::View& view);

// Whether one of them has a variable whose destructor selects a device: a guard of the project's
// own, of which the conditions may not be known.
bool has_own_guard(const dataflow::Site& site, const dataflow::View& view);

// Where a guard belongs, and how the program spells it.
void add_guard_fix(findings::Finding& finding, const dataflow::DeviceWorkEvent& event,
                   const dataflow::View& view, Reporter& reporter);

}  // namespace placecheck::checks
