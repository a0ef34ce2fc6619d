// Conditions on scalars that are not known, as terms: `not(c)`, `lt(a,b)`, `eq(a,b)`, or a scalar
// taken as one. What a path has assumed of some decides others: after `n > 0`, `n == 0` is false.
//
// Comparisons with constants are judged as those of integers. No state of its own; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/dataflow/names.h"

namespace placecheck::dataflow {

class State;
struct Value;

// A condition without its negations: `holds` is what it must be for the whole to hold.
struct Condition {
  Name name = 0;
  bool holds = true;
};

// `not(not(c))` is c that holds, `not(c)` is c that does not.
Condition strip_negations(Name name, const Names& names);
// The negation, in its shortest form.
Name negated(Name condition, Names& names);

// What the path has assumed of the condition, directly or of comparisons of the same scalar with
// other constants; nullopt where it may be either.
std::optional<bool> decided(const State& state, Name condition, const Names& names);

// What the alternatives of a scalar make of a comparison with a constant: true of `1 or 2` and
// `n > 0`.
std::optional<bool> holds_for_all(Name condition, const Names& names);

// What a value is as a condition on the path; nullopt where it may be either.
std::optional<bool> truth_on_path(const State& state, const Value& value, const Names& names);

// The integer that the path has assumed a scalar to be; nullopt where it may be several.
std::optional<int64_t> constant_of(const State& state, Name scalar, const Names& names);

// Terms about the size of what may be replaced: a decision on them cannot be followed.
inline constexpr std::string_view kOfCache = "size of a cache";
bool is_about_cache(Name condition, const Names& names);

// Terms for whether something in a block that catches raised.
inline constexpr std::string_view kRaised = "raised";
// Whether there is nothing at what comes from outside: a null pointer, an empty optional.
inline constexpr std::string_view kIsNull = "null";
// Whether a value is None, True or False itself.
inline constexpr std::string_view kIsNone = "is none";
inline constexpr std::string_view kIsTrue = "is true";
inline constexpr std::string_view kIsFalse = "is false";
// Whether a tensor that comes from outside is on a GPU; else it is on the CPU.
inline constexpr std::string_view kIsCuda = "is_cuda";
// Whether a value of which nothing is known is of a type that is no tensor's: who asks has both
// kinds of callers in mind, and nobody knows whether this program has one of the second kind.
inline constexpr std::string_view kIsOtherType = "is_other_type";

}  // namespace placecheck::dataflow
