// Functions that use a class as its users would, for classes that the program at hand declares and
// does not use: an object is constructed, moved where the class offers that, and then asked for one
// of its methods, on the device that its user chose.
//
// Ownership: the functions are the caller's, and refer to the program by keys only.
#pragma once

#include <optional>

#include "analyzer/ir/link.h"

namespace placecheck::dataflow {

// Only for a class that takes a device, in its constructor or in a method `to`; of what its other
// methods assign nothing is known when one of them is called.
std::optional<ir::Function> make_harness(const ir::Program& program, const ir::Unit& unit,
                                         const ir::Class& type);

// The method by which the class is moved; null if it has none.
const ir::Method* mover_of(const ir::Program& program, const ir::Unit& unit, const ir::Class& type);

}  // namespace placecheck::dataflow
