// What a file or an archive is known to hold: the names of tensors, in the order in which they were
// saved, and where all of these are. Kept as an object, whose keys the names are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/call_context.h"

namespace placecheck::dataflow {

// The field of an archive that leads to what it holds.
inline constexpr std::string_view kArchiveRecord = "record";

// Marks what is held where the program has looked at the names itself, and acts on them.
inline constexpr std::string_view kKeysAsked = "keys asked";

// One without names yet, saved by the call at hand.
Object saved_state_at(CallContext& context, const Place& place);

// None of an object that is no saved state.
std::optional<Place> place_in(CallContext& context, const Object& saved);
std::vector<std::string> keys_in(CallContext& context, const Object& saved);

// The names of a module's own tensors; none where they are not known.
std::optional<std::vector<std::string>> keys_of_module(CallContext& context, ObjectId module);

// A module's state is looked for, by the call at hand, in what was saved.
LoadStateEvent load_event(CallContext& context, ObjectId module,
                          std::vector<std::string> saved_keys,
                          std::vector<std::string> expected_keys);

}  // namespace placecheck::dataflow
