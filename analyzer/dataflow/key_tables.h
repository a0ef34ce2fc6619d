// Names made from those of a module's parameters and buffers, and the tables that a program keeps
// itself from such names to tensors.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

// The field of a table of a module's names that has another key beside them.
std::string beside_mark(std::string_view key);

// The type of an object that stands for each of such names.
inline constexpr std::string_view kKeyType = "a key of a state dict";
// The field that leads to the module's tensors, there and in an entry of them.
inline constexpr std::string_view kKeyOwner = "parameters";
// The fields of a list of a module's own modules that lead to that one: of those that are
// registered in it, or of all within it.
inline constexpr std::string_view kChildrenOf = "children of";
inline constexpr std::string_view kModulesOf = "modules of";
// The field of a module of which some part is registered by a name that is computed.
inline constexpr std::string_view kComputedNames = "<computed names>";

// What was made of each name of a module: characters were taken off at its beginning, others put
// before it, and of the result the first ones kept.
struct KeySet {
  ObjectId module = kNoObject;
  size_t dropped = 0;
  std::string added;
  size_t kept = std::string::npos;

  static KeySet all_of(ObjectId module);
  bool operator==(const KeySet&) const = default;
  // All of `key`, which is one of the module's names; none where it is too short.
  std::optional<std::string> applied_to(std::string_view key) const;
  // With `text` before each; none where only a part of each is kept.
  std::optional<KeySet> prefixed(std::string_view text) const;
  // What std::string::substr leaves of each; none where a part of a part would be.
  std::optional<KeySet> part(size_t from, size_t count) const;
};

bool stands_for_key(const Object& object, const Names& names);
// The names for one of which a value stands; none for any other value.
std::optional<KeySet> key_set_of(const State& state, const Value& key, Names& names);
// An object that stands for one of them.
Object key_object(const KeySet& keys, Names& names);
// Of the names of `module`, some were treated otherwise than the rest: what stood for one of them
// stands for a text of which nothing is known.
void forget_keys(State& state, ObjectId module, Names& names);

// Something is put into `table`, by `key`. A table that has other names beside a module's has no
// set of them.
void note_key(State& state, ObjectId table, const Value& key, Names& names);

// The names that `table` has beside literals; none where these are not known.
std::optional<KeySet> key_set_of_table(const State& state, ObjectId table, Names& names);

}  // namespace placecheck::dataflow
