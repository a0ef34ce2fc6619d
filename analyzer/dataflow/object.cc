#include "analyzer/dataflow/object.h"

#include <algorithm>

namespace placecheck::dataflow {
namespace {

bool by_name(const std::pair<Name, Value>& entry, Name name) { return entry.first < name; }

using Equal = bool (*)(const Value&, const Value&);

bool equal_values(const std::vector<Value>& a, const std::vector<Value>& b, Equal equal) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

bool equal_entries(const Registered& a, const Registered& b, Equal equal) {
  return a.name == b.name && a.kind == b.kind && equal(a.value, b.value) &&
         equal_values(a.either, b.either, equal);
}

// Whether the values in a container are all equal to one of which nothing is known.
bool holds_nothing_else(const Object& object, Equal equal) {
  auto is_plain = [&](const Value& value) { return equal(value, Value::unknown()); };
  return object.kind == ObjectKind::kContainer &&
         std::all_of(object.elements.begin(), object.elements.end(), is_plain) &&
         (!object.open || is_plain(object.rest) || object.rest.is(ValueKind::kNone));
}

bool equal_headers(const Object& a, const Object& b) {
  return a.kind == b.kind && a.type == b.type && a.type_name == b.type_name &&
         a.function == b.function && a.complete == b.complete && a.symbol == b.symbol &&
         a.may_be_null == b.may_be_null && a.moved == b.moved && a.moved_to == b.moved_to;
}

bool equal_objects(const Object& a, const Object& b, Equal equal) {
  auto equal_field = [&](const auto& x, const auto& y) {
    return x.first == y.first && equal(x.second, y.second);
  };
  auto equal_entry = [&](const Registered& x, const Registered& y) {
    return equal_entries(x, y, equal);
  };
  return equal_headers(a, b) && a.open == b.open && equal(a.rest, b.rest) &&
         equal(a.length, b.length) &&
         std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    equal_field) &&
         equal_values(a.elements, b.elements, equal) && equal_values(a.keys, b.keys, equal) &&
         std::equal(a.registered.begin(), a.registered.end(), b.registered.begin(),
                    b.registered.end(), equal_entry);
}

}  // namespace

const Value* Object::find(Name field) const {
  auto at = std::lower_bound(fields.begin(), fields.end(), field, by_name);
  return at != fields.end() && at->first == field ? &at->second : nullptr;
}

void Object::set(Name field, const Value& value) {
  auto at = std::lower_bound(fields.begin(), fields.end(), field, by_name);
  if (at != fields.end() && at->first == field) {
    at->second = value;
  } else {
    fields.insert(at, {field, value});
  }
}

void Object::erase(Name field) {
  auto at = std::lower_bound(fields.begin(), fields.end(), field, by_name);
  if (at != fields.end() && at->first == field) fields.erase(at);
}

const Registered* Object::find_registered(Name name) const {
  for (const Registered& entry : registered) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

bool same(const Registered& a, const Registered& b) { return equal_entries(a, b, same); }

bool same(const Object& a, const Object& b) {
  return a.is_known_list == b.is_known_list && a.may_lack_keys == b.may_lack_keys &&
         a.made_where == b.made_where && equal_objects(a, b, same);
}

bool has_compound_keys(const Object& object) {
  const auto is_text = [](const Value& key) { return key.is(ValueKind::kString); };
  return object.kind == ObjectKind::kContainer && object.is_map && !object.open &&
         object.keys.size() == object.elements.size() &&
         std::all_of(object.keys.begin(), object.keys.end(), is_text) &&
         (object.keys.empty() ||
          std::any_of(object.keys.begin(), object.keys.end(), is_compound_key));
}

static bool equal_but_for_plain(const Object& a, const Object& b, Equal equal) {
  if (holds_nothing_else(a, equal) && holds_nothing_else(b, equal)) return equal_headers(a, b);
  return equal_objects(a, b, equal);
}

bool alike(const Object& a, const Object& b) { return equal_but_for_plain(a, b, alike); }

bool agree_on_places(const Object& a, const Object& b) {
  return equal_but_for_plain(a, b, agree_on_places);
}

static uint64_t digest_of(const Object& object, Likeness likeness) {
  uint64_t code = mix(static_cast<uint64_t>(object.kind), reinterpret_cast<uintptr_t>(object.type));
  code = mix(mix(code, reinterpret_cast<uintptr_t>(object.function)), object.symbol);
  const Equal equal = likeness == Likeness::kButForNumbers ? Equal(alike) : Equal(agree_on_places);
  if (holds_nothing_else(object, equal)) return code;
  code = mix(code, object.fields.size());
  code = mix(code, object.elements.size());
  for_each_value(object, [&](const Value& value) { code = mix(code, digest(value, likeness)); });
  return code;
}

uint64_t digest(const Object& object, Likeness likeness) {
  uint64_t& kept = object.digests[static_cast<size_t>(likeness)];
  if (kept == 0) kept = digest_of(object, likeness) | 1;
  return kept;
}

}  // namespace placecheck::dataflow
