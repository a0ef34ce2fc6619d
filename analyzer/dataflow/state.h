// One abstract state of an activation: its variables, the objects it can reach, what it assumed.
//
// States are copied at every branch, so objects are shared until written. Object ids are stable
// within an activation: an allocation site has one id, and allocating there again replaces the
// object.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/dataflow/collectives.h"
#include "analyzer/dataflow/doubts.h"
#include "analyzer/dataflow/implication.h"
#include "analyzer/dataflow/object.h"
#include "analyzer/dataflow/shared_chunks.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace placecheck::dataflow {

// What a program itself decides about the devices that it sees. Followed only in programs that
// write such a list.
struct DeviceSetup {
  enum class Start : uint8_t { kNo, kYes, kUnknown };
  enum class List : uint8_t { kNotSet, kSet, kUnknown };

  Start start = Start::kNo;  // of the devices' runtime, which reads the list then
  List list = List::kNotSet;
  Name visible = 0;         // the list in force, as written
  OriginId started_at = 0;  // where; no part of what is compared
  OriginId listed_at = 0;

  bool operator==(const DeviceSetup& other) const {
    return start == other.start && list == other.list && visible == other.visible;
  }
};
DeviceSetup join(const DeviceSetup& a, const DeviceSetup& b);

// What each thread has for itself.
struct ThreadState {
  Place current_device = Place::cuda(0);
  bool device_is_callers = false;  // nothing was selected yet, and the caller may have done so
  bool has_selected = false;       // the program has, in this thread; no part of what is compared
  bool is_guarded = false;         // by an object that restores it; no part of what is compared
  OriginId selected_at = 0;        // where; no part of what is compared
  OriginId released_at = 0;        // where the last guard of a device ended; no part of it either
  Collectives collectives;

  // On every path that has come here, nothing was selected since the caller's call.
  bool is_as_caller_left_it() const {
    return device_is_callers && current_device == Place::cuda(0);
  }

  bool operator==(const ThreadState& other) const {
    return current_device == other.current_device && device_is_callers == other.device_is_callers &&
           collectives == other.collectives;
  }
};
ThreadState join(const ThreadState& a, const ThreadState& b);

class State {
 public:
  SharedChunks<Value> slots;
  std::vector<std::pair<Name, Value>> globals;     // sorted by name
  std::vector<std::pair<Name, bool>> assumptions;  // conditions decided on this path, oldest first
  std::vector<Implication> implications;           // among conditions not decided on it
  // Conditions of which this path has decided something that was forgotten, sorted: who decides
  // them again may contradict it.
  std::vector<Name> forgotten;
  // Of those, what this path has decided again, one way or the other: it may contradict what was
  // forgotten.
  Doubts doubts;
  // The caller's state was not exact.
  bool is_of_doubtful_caller = false;
  // A call that cannot be followed may have changed any global: those that this state has are
  // unknown already, and those that its caller kept to itself are to be.
  bool globals_lost = false;
  ThreadState thread;
  DeviceSetup setup;

  bool has(ObjectId id) const { return id < objects_.size() && objects_[id] != nullptr; }
  const Object& object(ObjectId id) const { return *objects_[id]; }
  Object& edit(ObjectId id);
  void put(ObjectId id, Object object);
  void drop(ObjectId id) { objects_.set(id, nullptr); }
  ObjectId object_count() const { return static_cast<ObjectId>(objects_.size()); }
  // About as many as this state takes for itself, what it shares with others apart.
  uint64_t bytes() const;
  const std::shared_ptr<const Object>& share(ObjectId id) const { return objects_[id]; }
  // By their ids; null where there is none.
  const SharedChunks<std::shared_ptr<const Object>>& shares() const { return objects_; }
  void put_shared(ObjectId id, std::shared_ptr<const Object> object);

  const Value* find_global(Name name) const;
  void set_global(Name name, const Value& value);

  // Some run comes here. What another state shows is no finding.
  bool is_exact() const { return has_exact_path() && !is_of_doubtful_caller; }
  // The same, for a call that some run makes.
  bool has_exact_path() const { return doubts.is_exact(); }

  std::optional<bool> assumed(Name condition) const;
  // With all that follows from it. The state is not exact where what was known of the condition
  // was forgotten.
  void assume(Name condition, bool holds);
  // What was decided of the condition is no longer known.
  void lose(Name condition);
  // What was called `symbol` has from now on a name of its own, of which nothing is known.
  void age(Name symbol, Names& names);
  // `symbol` is another value from now on: forgets what was assumed of conditions about the old
  // one.
  void forget(Name symbol, const Names& names);

  // The object that a value names, through addresses and boxes; null if it is none.
  const Object* object_of(const Value& value) const;
  ObjectId object_id_of(const Value& value) const;
  // The value itself, or what is at the address that it is.
  Value read(const Value& value) const;
  // What a boxed variable holds, which may itself be an address; other values as they are.
  Value unboxed(const Value& value) const;
  // The same as read(), but a pointer to something stays the pointer: an address that was taken.
  Value pointed(const Value& value) const;
  // The place of a tensor, device or options value, through the cell of registered state.
  Place place_of(const Value& value) const;
  // The value that decided that place: the one in the cell, or the value itself.
  Value decider_of(const Value& value) const;

  // Drops the objects that no variable refers to, nor one of the first `kept` objects: the
  // caller's.
  void collect_garbage(ObjectId kept);

 private:
  // What each of the values that are replaced becomes; `other` is told where it is.
  void replace_values(llvm::function_ref<bool(const Value&)> is_replaced,
                      llvm::function_ref<Value(const Value&, const std::string&)> other);
  Value read_address(const Value& address) const;
  Value join_elements(const Object& object) const;
  Value join_deciders(const Object& object, const Value& joined) const;

  SharedChunks<std::shared_ptr<const Object>> objects_;
};

// Equality of variables, globals and objects, not of assumptions or of where things were learnt.
bool same(const State& a, const State& b);
// The same, with numbers and symbols taken as equal: such states are joined, since keeping them
// apart would tell nothing about places.
bool alike(const State& a, const State& b);
bool agree_on_places(const State& a, const State& b);
// Equal for states that are so: whether they are need not be asked of others.
uint64_t digest(const State& state, Likeness likeness);

// Only one of those that `changed` stands for went from `before` to `after`: of each of them either
// may be true.
void weaken(State& after, const State& before, ObjectId changed, Names& names);

struct JoinOptions {
  LiveSymbols live;  // of the joined state
  // The two are not alike(): where they have decided otherwise, what only one of them has may be
  // there under conditions that the join forgets, and is unknown in it.
  bool are_unlike = false;
};

// Least upper bound; `block` names the fresh symbols.
State join(const State& a, const State& b, Names& names, uint32_t block, JoinOptions options = {});

// The object, and all that it holds, however deep.
std::set<ObjectId> reachable_from(const State& state, ObjectId root);

}  // namespace placecheck::dataflow
