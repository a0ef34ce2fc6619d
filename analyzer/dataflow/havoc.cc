#include "analyzer/dataflow/havoc.h"

#include <vector>

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
    open_container(object);
    object.rest = Value::unknown();
    object.rest.gap = gap_;
  } else if (object.kind == ObjectKind::kRecord || object.kind == ObjectKind::kModule) {
    forget_fields(object, id);
  }
  for (const Value& value : held) {
    if (value.refers_to_object()) this->object(value.object);
    if (value.place.kind == PlaceKind::kCell) this->object(value.place.symbol);
  }
}

void Havoc::forget_fields(Object& object, ObjectId id) {
  std::erase_if(object.fields, [](const auto& field) { return !field.second.is_object(); });
  object.complete = false;
  object.symbol = names_.derive(names_.text(label_) + std::to_string(id), {label_});
  if (object.moved) object.moved_to = Place::unknown();
}

}  // namespace placecheck::dataflow
