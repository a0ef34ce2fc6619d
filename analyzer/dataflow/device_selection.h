// What a program's functions do with numbers that they are given, themselves or in what they call:
// a loop that hands its counter to one that selects a device goes over devices, and one that hands
// it to one that names an element by it goes over elements.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "analyzer/ir/link.h"

namespace placecheck::dataflow {

// Of one function: the positions of the parameters that number elements, captures first.
struct ElementNumbers {
  uint32_t captures = 0;
  std::set<uint32_t> parameters;

  bool takes(uint32_t parameter) const { return parameters.count(parameter) != 0; }
  // True if that is new.
  bool add(uint32_t more_captures, const std::set<uint32_t>& more) {
    const size_t count = parameters.size();
    captures = more_captures;
    parameters.insert(more.begin(), more.end());
    return parameters.size() != count;
  }
  bool operator==(const ElementNumbers&) const = default;
};

struct NumberUses {
  // Keys of functions that select a device, or name one by a number that they are given, and of the
  // classes whose constructors do.
  std::unordered_set<std::string> selecting;
  // Fields of records by which devices are selected: what is stored there numbers a device.
  std::unordered_set<std::string> device_fields;
  // By the keys of functions, and of classes for their constructors.
  std::unordered_map<std::string, ElementNumbers> elements;
};

NumberUses uses_of_numbers(const ir::Program& program);

// Where the arguments of a call that number elements in the callee are, by position: also those
// that a library hands on with a function. `closures`: the keys of functions, by the registers of
// the block that hold them.
std::set<size_t> arguments_that_number_elements(
    const NumberUses& uses, const ir::Instruction& instruction,
    const std::unordered_map<ir::Register, std::string_view>& closures);

// The number by which an instruction names a device, `n` of `Device(kCUDA, n)`; kNoRegister where
// it does not.
ir::Register number_of_named_device(const ir::Instruction& instruction);

}  // namespace placecheck::dataflow
