// Literals, conditions, arithmetic and elements: what the IR's own operations do.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

Value literal_value(const ir::Literal& literal, Names& names);

// What a branch on the value does, where that is certain.
std::optional<bool> truth(const Value& value);

// The condition that what came from outside is not there; nullopt of anything else.
std::optional<Name> null_test(const State& state, const Value& value, Names& names);

// `op.add`, `op.lt`, ... on scalars and devices: a constant, or a symbol that names the expression.
// `devices` is the assumed least number of CUDA devices. Empty where nothing can be said.
std::optional<Value> evaluate(std::string_view operation, const Value& a, const Value& b,
                              Names& names, int devices);

// What a function without effects answers of scalars: asked twice of the same ones, the same
// symbol. Empty where one of them has no name.
std::optional<Value> answer_of(std::string_view question, std::span<const Value> about,
                               Names& names);

// The symbol that stands for the number of CUDA devices.
inline constexpr std::string_view kDeviceCount = "the number of devices";

// The operation of the condition that a known device is one of which nothing is known.
inline constexpr std::string_view kSameDevice = "same device";
bool is_same_device(Name condition, const Names& names);

// The operation of the number and the text of a device of which they are not known.
inline constexpr std::string_view kSomeDevice = "some device";

// The symbol that stands for the number of the device that the caller left current.
inline constexpr std::string_view kCallersDevice = "the caller's device";

// The symbol that stands for the rank of the process that runs.
inline constexpr std::string_view kRankOfProcess = "the rank";

// The symbol that stands for what a variable of the environment holds.
inline constexpr std::string_view kVariable = "the variable ";

// The operation of the number that a text spells.
inline constexpr std::string_view kInteger = "int";

// Whether a symbol is the same for all functions of a process.
inline bool is_of_process(std::string_view symbol) {
  return symbol == kRankOfProcess || symbol.starts_with(kVariable);
}

// Whether this path takes such a condition to hold: nobody knows whether any run does.
bool assumes_same_device(const State& state, const Names& names);

// The object whose elements are meant: also where the way to them is the address of its first.
ObjectId array_of(const State& state, const Value& container);

// The address of an element of a container, tuple or map.
Value element_address(State& state, const Value& container, const Value& index, Names& names);

// A list of which only that is known: what its elements are.
Object open_list(const Value& element);

// Gives up the positions of a container's elements.
void open_container(Object& container);

// Adds an element at the end (or under a key) of a container.
void append(Object& container, const Value& value, const Value& key = Value::none());

}  // namespace placecheck::dataflow
