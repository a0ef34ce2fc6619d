// Abstract objects: what values of class type, containers, closures and registered state hold.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "analyzer/dataflow/value.h"
#include "analyzer/ir/ir.h"

namespace placecheck::dataflow {

enum class ObjectKind : uint8_t {
  kRecord,     // an instance of a class of the project
  kModule,     // a neural-network module, of the project or of a library
  kContainer,  // elements, by position or key
  kTuple,
  kClosure,  // a function and its captures (elements)
  kBox,      // a variable whose address was taken: elements[0]
  kCell,     // a registered tensor: elements[0]; moving the module changes it in place
  kLibrary,  // an object of a library class, as its model keeps it
};

enum class RegisteredKind : uint8_t { kParameter, kBuffer, kModule };

struct Registered {
  Name name = 0;
  RegisteredKind kind = RegisteredKind::kParameter;
  Value value;
  std::vector<Value> either;  // a child that differs from path to path, `value` being unknown
};

bool same(const Registered& a, const Registered& b);

struct Object {
  ObjectKind kind = ObjectKind::kRecord;
  const ir::Class* type = nullptr;         // the class, where the project defines it
  Name type_name = 0;                      // else as spelled
  const ir::Function* function = nullptr;  // kClosure
  bool complete = true;  // false: it existed before the analysis began; absent fields are symbolic
  bool open = false;     // kContainer: may hold further elements, all like `rest`
  bool is_map = false;   // kContainer: a number that indexes it is a key and no position
  bool is_known_list = false;  // kContainer: a list of Python, and no set or tuple that has grown
  bool may_lack_keys = false;  // kContainer: a table that two paths have filled, and one not wholly
  bool is_pointee = false;     // kContainer: pointers lead here; copies of a pointer share it
  Name symbol = 0;             // identity of an incomplete object
  // Only one of two paths that met has made it, the one that has decided these conditions so: what
  // it holds says nothing where one of them was decided otherwise since.
  std::vector<std::pair<Name, bool>> made_where;
  bool may_be_null = false;  // a pointer, or an optional, that comes from outside leads here
  bool moved = false;        // an incomplete module was moved to `moved_to`
  Place moved_to;
  OriginId origin = 0;                         // where it was made, or last moved as a whole
  std::vector<std::pair<Name, Value>> fields;  // sorted by name
  std::vector<Value> elements;
  std::vector<Value> keys;  // kContainer with keys: as many as elements
  Value rest;
  Value length;  // kContainer, open: the answer to how many elements it has; unknown: not asked
  std::vector<Registered> registered;
  // See digest(); 0: not computed since the last change.
  mutable std::array<uint64_t, 2> digests{};

  const Value* find(Name field) const;
  void set(Name field, const Value& value);
  void erase(Name field);
  const Registered* find_registered(Name name) const;
  bool is_module() const { return kind == ObjectKind::kModule; }
  bool has_no_elements() const { return elements.empty() && (!open || rest.is(ValueKind::kNone)); }
};

inline bool is_list(const Object& object) {
  return object.kind == ObjectKind::kContainer || object.kind == ObjectKind::kTuple;
}

bool same(const Object& a, const Object& b);
// The same, with numbers and symbols taken as equal.
bool alike(const Object& a, const Object& b);
bool agree_on_places(const Object& a, const Object& b);
// Equal for objects that are so. It is kept: whoever changes an object clears its `digests`.
uint64_t digest(const Object& object, Likeness likeness);

// Whether the keys of a table are known, and some are compound; so it is of one without any.
bool has_compound_keys(const Object& object);
// Calls `visit(value)` for every value that the object holds, in a fixed order.
template <typename ObjectT, typename Visit>
void for_each_value(ObjectT& object, Visit&& visit) {
  for (auto& [name, value] : object.fields) visit(value);
  for (auto& value : object.elements) visit(value);
  for (auto& value : object.keys) visit(value);
  visit(object.rest);
  visit(object.length);
  for (auto& entry : object.registered) {
    visit(entry.value);
    for (auto& child : entry.either) visit(child);
  }
}

}  // namespace placecheck::dataflow
