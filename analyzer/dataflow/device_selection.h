// Which functions select a device, or name one by a number that they are given, themselves or in
// what they call: a loop that hands them its counter goes over devices.
#pragma once

#include <string>
#include <unordered_set>

#include "analyzer/ir/link.h"

namespace placecheck::dataflow {

// Their keys, and the keys of the classes whose constructors are among them.
std::unordered_set<std::string> functions_that_select_devices(const ir::Program& program);

// The number by which an instruction names a device, `n` of `Device(kCUDA, n)`; kNoRegister where
// it does not.
ir::Register number_of_named_device(const ir::Instruction& instruction);

}  // namespace placecheck::dataflow
