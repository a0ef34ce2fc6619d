// Literals, conditions, arithmetic and elements: what the IR's own operations do.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/dataflow/state.h"
#include "analyzer/dataflow/symbols.h"

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

// Makes the path one on which the symbol is that constant. Whether the path knew that before;
// nothing, and no change, where it cannot be so.
std::optional<bool> assume_equal(State& state, Name symbol, const Value& constant, Names& names);

// `a - b` of symbols of which that is known: `x + 1` and `x - 2`.
std::optional<int64_t> difference_of(const Value& a, const Value& b, const Names& names);

// Whether a value is the number of CUDA devices.
bool is_device_count(const Value& number, const Names& names);
// How far the number is above that of the devices: -1 for `device_count() - 1`; nothing for others.
std::optional<int64_t> offset_from_count(const Value& number, const Names& names);
// Whether a text is the name of a device, "cpu", "cuda" or "cuda:1"; and whether all keys of a
// table are.
bool names_device(std::string_view text);
bool has_device_keys(const Object& table, const Names& names);
// A number as so many times that of the devices and a constant.
struct MultipleOfCount {
  int64_t factor = 0;
  int64_t constant = 0;
};
// Nothing for a number that is not computed from that of the devices.
std::optional<MultipleOfCount> multiple_of_count(const Value& number, const Names& names);
// Whether the number is that of the devices or more, where there are at least so many.
bool reaches_count(const Value& number, const Names& names, int devices);

// What a function without effects answers of scalars: asked twice of the same ones, the same
// symbol. Empty where one of them has no name.
std::optional<Value> answer_of(std::string_view question, std::span<const Value> about,
                               Names& names);

// The operation of the condition that a known device is one of which nothing is known.
inline constexpr std::string_view kSameDevice = "same device";
bool is_same_device(Name condition, const Names& names);

// The operation of the number and the text of a device of which they are not known.
inline constexpr std::string_view kSomeDevice = "some device";

// Whether this path takes such a condition to hold: nobody knows whether any run does.
bool assumes_same_device(const State& state, const Names& names);

// The object whose elements are meant: also where the way to them is the address of its first.
ObjectId array_of(const State& state, const Value& container);

// The address of an element of a container, tuple or map.
Value element_address(State& state, const Value& container, const Value& index, Names& names);

// Whether elements of a container are found by keys rather than by positions.
bool is_table(const Object& container);
// Whether a key is made of the sizes of tensors alone.
bool key_lacks_device(const State& state, const Value& key, const Names& names);
// Whether a table has an element under that key; nullopt where it may or may not.
std::optional<bool> has_key(const Object& table, const Value& key);

// A list of which only that is known: what its elements are.
Object open_list(const Value& element);

// Gives up the positions of a container's elements.
void open_container(Object& container);

// A list that holds each of its elements, but it is not known where, nor whether that is all.
bool is_unordered(const Object& list, Names& names);
// The field of a module that may have more children than are known.
inline constexpr std::string_view kMayLackChildren = "<may lack children>";
void forget_order(Object& list, Names& names);
// Gives up how many elements a list has, and where: each object that it holds is kept once. False,
// and nothing is changed, where it holds other values, or fewer than two objects, or too many.
bool forget_count(Object& list, Names& names);
// Adds an element to such a list; an object that is there already is not added again.
void add_once(std::vector<Value>& elements, const Value& value);

// Adds an element at the end (or under a key) of a container.
void append(Object& container, const Value& value, const Value& key = Value::none());

}  // namespace placecheck::dataflow
