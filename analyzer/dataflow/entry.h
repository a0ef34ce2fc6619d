// Crossing a call: what a callee can reach, numbered canonically, and how its outcome is put back.
//
// The part of the caller's state that the arguments and globals reach is copied into a state of its
// own, whose objects are numbered in the order of a traversal. Two calls with equal entries have
// equal outcomes, whoever calls. Every placed value gets an ordinal (Value::input), by which the
// outcome can say "where the caller's k-th input is".
#pragma once

#include <functional>
#include <vector>

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

struct Entry {
  State state;
  std::vector<Value> arguments;
  std::vector<ObjectId> caller_ids;    // of the callee's objects 0..n-1, in the caller
  std::vector<Value> inputs;           // the caller's value of each ordinal
  std::vector<Name> symbols;           // that the callee can see, sorted
  std::vector<int> argument_of_input;  // which argument reaches it first; -1: a global
};

// Of the caller's globals, the entry has those that the callee may use; of what the caller assumed,
// what speaks of something that the callee can see.
// `sees_aliases`: and those that lead to what the arguments lead to, since code that it calls may
// change that through them.
Entry make_entry(const State& caller, const std::vector<Value>& arguments, const Names& names,
                 const std::function<bool(Name)>& may_use_global, bool sees_aliases);

// Whether a symbol that the callee answered speaks of nothing but what it was given: the same
// question gets the same answer then, however often it is asked.
bool is_of_caller(const Entry& entry, Name symbol, const Names& names);

// The symbols that a callee has made and that the value, or what it and the arguments lead to,
// names where it ends: sorted.
std::vector<Name> made_symbols(const Entry& entry, const State& exit, const Value& value,
                               const Names& names);
// Of what the callee has decided, drops what speaks of nothing that its caller sees: neither of
// what it was given, nor of what it has made, nor of the call's value.
void drop_private_decisions(const Entry& entry, State& exit, const Value& value,
                            const std::vector<Name>& made, const Names& names);

bool same(const Entry& a, const Entry& b);
uint64_t hash(const Entry& entry);

// Puts the state in which a callee ended back into its caller's. `allocate(k)` is the caller's id
// for the k-th object that the callee made, and `made` what made_symbols() has found. Returns the
// call's value.
Value apply_exit(State& caller, const Entry& entry, const State& exit, const Value& value,
                 const std::vector<Name>& made, Names& names,
                 const std::function<ObjectId(uint32_t)>& allocate);

}  // namespace placecheck::dataflow
