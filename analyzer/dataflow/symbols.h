// Symbols and operations of terms that mean the same in every program.
#pragma once

#include <string_view>

namespace placecheck::dataflow {

// The symbol that stands for the number of CUDA devices.
inline constexpr std::string_view kDeviceCount = "the number of devices";

// Set where a loop over all devices is at the last of them, however many there are.
inline constexpr std::string_view kIsLastDevice = "<the last device>";

// The symbol that stands for the number of the device that the caller left current.
inline constexpr std::string_view kCallersDevice = "the caller's device";

// The symbol that stands for the rank of the process that runs.
inline constexpr std::string_view kRankOfProcess = "the rank";

// The symbol that stands for what a variable of the environment holds.
inline constexpr std::string_view kVariable = "the variable ";

// The global that is set in a run whose options have their defaults.
inline constexpr std::string_view kHasDefaults = "<options have their defaults>";

// The global that is set where a module is used that the program does not use itself: the name of
// its class, made where that is declared.
inline constexpr std::string_view kUsedModule = "<the module that is used>";

// The global that is set once a batch of which nothing is known may have been changed in place.
inline constexpr std::string_view kChangedBatch = "<a batch is changed>";

// The operation of the number that a text spells.
inline constexpr std::string_view kInteger = "int";

// The operation of the text `x.type()` of a tensor, which begins with "torch.cuda." on a GPU. Its
// operands: "cpu" or "cuda", and a symbol that tells the text from others.
inline constexpr std::string_view kTensorType = "type of a tensor";

// The operation of a size of a tensor. Its operand tells it from others.
inline constexpr std::string_view kTensorSize = "size of a tensor";

// What the answer of a call without arguments that is not followed is called: "platform.machine()".
inline constexpr std::string_view kAnswer = "()";

// Whether a symbol is the same for all functions of a process. What is asked twice is taken to have
// the same answer: that can hide a finding, but not make one.
inline bool is_of_process(std::string_view symbol) {
  return symbol == kRankOfProcess || symbol.starts_with(kVariable) || symbol.ends_with(kAnswer);
}

}  // namespace placecheck::dataflow
