#include "analyzer/dataflow/object.h"

#include <algorithm>

namespace placecheck::dataflow {
namespace {

bool by_name(const std::pair<Name, Value>& entry, Name name) { return entry.first < name; }

bool same_values(const std::vector<Value>& a, const std::vector<Value>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Value& x, const Value& y) { return same(x, y); });
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

const Registered* Object::find_registered(Name name) const {
  for (const Registered& entry : registered) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

bool same(const Object& a, const Object& b) {
  if (a.kind != b.kind || a.type != b.type || a.type_name != b.type_name ||
      a.function != b.function || a.complete != b.complete || a.open != b.open ||
      a.symbol != b.symbol || a.moved != b.moved || !(a.moved_to == b.moved_to) ||
      !same(a.rest, b.rest)) {
    return false;
  }
  auto same_field = [](const auto& x, const auto& y) {
    return x.first == y.first && same(x.second, y.second);
  };
  auto same_entry = [](const Registered& x, const Registered& y) {
    return x.name == y.name && x.kind == y.kind && same(x.value, y.value);
  };
  return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    same_field) &&
         same_values(a.elements, b.elements) && same_values(a.keys, b.keys) &&
         std::equal(a.registered.begin(), a.registered.end(), b.registered.begin(),
                    b.registered.end(), same_entry);
}

}  // namespace placecheck::dataflow
