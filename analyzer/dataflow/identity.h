// What a value is called in terms: constants by their text, what is not known by where it is from.
//
// An opaque value (`Value::is_opaque`) is one of which nothing is known but that it is itself.
// Where variables have no types, most that comes from outside is such: parameters of functions that
// nobody calls, results of calls that cannot be followed, and the members and answers of those.
#pragma once

#include <optional>
#include <string_view>

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

// Floating-point numbers decide nothing about places: they are all alike.
inline constexpr std::string_view kSomeFloat = "a float";

// Whether the value is a number with a fraction, which one is not kept.
bool is_some_float(const Value& value, const Names& names);

// Whether the value is certainly a number or a text, even where it is not known which.
bool is_number_or_text(const Value& value, const Names& names);
// A number or text of which nothing else is known; `which` tells it from others.
Name some_number_or_text(std::string_view which, Names& names);

// The operation of a number that is at least one.
inline constexpr std::string_view kPositive = "positive";

// Whether the name was made up for a result, of which it is only known where it is from: `<17>`.
bool is_fresh(Name name, const Names& names);
// The same, or a symbol for what paths have joined or what a loop counts: it means something in one
// state only.
bool is_made(Name symbol, const Names& names);

// Whether a name means the same wherever it is used: it is not about the result of one call or what
// paths have joined to.
bool is_lasting(Name name, const Names& names);

// What stands for the value in a term; nothing for what cannot be told from others.
std::optional<Name> identity_of(const Value& value, Names& names);

// What a text, or a list or table, is as a condition of Python: whether anything is in it, which is
// taken to be so where a loop may have filled it. Nothing for other values.
std::optional<bool> content_truth(const State& state, const Value& value, const Names& names);

// The symbol for what two scalars become where paths meet, which is called `text`: it knows what it
// may be if that are a few constants.
Name joined_symbol(std::string_view text, const Value& a, const Value& b, Names& names);

// Parameters of a function whose caller is not known.
Name parameter_identity(std::string_view parameter, std::string_view function_key, Names& names);

// Whether a parameter or a function of that name is about a device: `device`, `gpu_id`, `use_cuda`.
bool says_device(std::string_view name);

// What is not known because the analysis has lost it: an argument of a call that is followed, a
// member that the program has assigned, the join of two values.
Name lost_identity(Name what, Names& names);
// Whether a condition speaks of such. Either answer may be that of no run.
bool is_about_lost(Name condition, const Names& names);
// Whether it speaks of what was given as such an identity; values that joins have lost are none.
bool mentions_lost(Name condition, const Names& names);

// What begins the identity of an object whose attributes are what a file or a command line holds:
// none of them is lost, as long as nothing that is not followed changes the object.
inline constexpr std::string_view kFromOutside = "contents of ";
bool is_from_outside(const Object& object, const Names& names);

// A member of an opaque value, by its name.
Name member_identity(Name holder, std::string_view member, Names& names);
// Whether a name is that of such a member.
bool is_member_identity(Name name, const Names& names);

// A member of an object of a library, as people write it: `args.device`.
Name library_member_identity(Name holder, std::string_view member, Names& names);

// Gives a member of an opaque value. What belongs to a parameter is kept; of other values two may
// go by one name: what was decided of the member is forgotten. A number or text that is not known
// is lost where a library has made the value.
void set_opaque_member(State& state, Name holder, std::string_view member, const Value& value,
                       Names& names);

// Forgets what was kept of the members of an opaque value, which a call may have changed.
void forget_opaque_members(State& state, Name holder, const Names& names);

}  // namespace placecheck::dataflow
