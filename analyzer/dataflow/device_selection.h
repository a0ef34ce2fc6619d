// Which functions select a device, or name one by a number that they are given, themselves or in
// what they call: a loop that hands them its counter goes over devices.
#pragma once

#include <string>
#include <unordered_set>

#include "analyzer/ir/link.h"

namespace placecheck::dataflow {

// Their keys, and the keys of the classes whose constructors are among them.
std::unordered_set<std::string> functions_that_select_devices(const ir::Program& program);

}  // namespace placecheck::dataflow
