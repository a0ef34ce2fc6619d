#include "analyzer/dataflow/havoc.h"

#include <algorithm>
#include <vector>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/saved_state.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {

void Havoc::object(ObjectId id) {
  if (!state_.has(id) || !done_.insert(id).second) return;
  std::vector<Value> held;
  for_each_value(state_.object(id), [&](const Value& value) { held.push_back(value); });
  Object& object = state_.edit(id);
  if (object.kind == ObjectKind::kCell && !object.elements.empty()) {
    object.elements[0].place = Place::unknown();
    object.elements[0].gap = gap_;
  } else if (object.kind == ObjectKind::kContainer) {
    forget_elements(object);
  } else if (object.kind == ObjectKind::kRecord || object.kind == ObjectKind::kModule) {
    forget_fields(object, id);
  } else if (object.find(names_.intern(kArchiveRecord))) {
    object.set(names_.intern(kArchiveRecord), Value::unknown());
  }
  for (const Value& value : held) {
    if (value.refers_to_object()) this->object(value.object);
    if (value.place.kind == PlaceKind::kCell) this->object(value.place.symbol);
  }
}

void Havoc::objects_among(const std::vector<Value>& elements) {
  for (const Value& each : elements) {
    if (const ObjectId id = state_.object_id_of(each); id != kNoObject) object(id);
  }
}

// Nothing was known of an opaque value, and nothing more is forgotten: it stays where it is.
void Havoc::forget_elements(Object& container) {
  Value unknown = Value::unknown();
  unknown.gap = gap_;
  if (std::ranges::any_of(container.elements, &Value::is_opaque)) {
    for (Value& each : container.elements)
      if (!each.is_opaque()) each = unknown;
    container.open = true;
  } else {
    open_container(container);
  }
  container.rest = unknown;
}

void Havoc::forget_fields(Object& object, ObjectId id) {
  std::erase_if(object.fields, [](const auto& field) {
    return !field.second.is_object() && !field.second.is_opaque();
  });
  object.complete = false;
  // What a program without types asks of an object that is not known has the same answer again.
  const bool has_typed_fields = !object.type || !is_dynamic(*object.type);
  if (has_typed_fields || object.symbol == 0 || is_from_outside(object, names_))
    object.symbol = names_.derive(names_.text(label_) + std::to_string(id), {label_});
  if (object.moved) object.moved_to = Place::unknown();
}

}  // namespace placecheck::dataflow
