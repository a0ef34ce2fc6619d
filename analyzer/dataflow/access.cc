// How an activation reads and writes what objects hold: fields, elements, copies.
#include <algorithm>

#include "analyzer/dataflow/activation.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

// The pointer that a variable, a field or an element holds, where it leads into an array or to a
// number: what is there is not what is read.
std::optional<Value> held_pointer(const State& state, const Value& value) {
  if (value.taken) return std::nullopt;
  Value pointer = state.pointed(value);
  if (!pointer.is(ValueKind::kAddress)) return std::nullopt;
  Value there = state.read(pointer);
  bool is_number = there.is_scalar() || there.is_pointer() || there.is_handle() ||
                   there.is(ValueKind::kNone) || there.is(ValueKind::kUnknown);
  return is_number ? std::optional<Value>(pointer) : std::nullopt;
}

}  // namespace

void move_along(State& state, ObjectId whole, ObjectId part) {
  if (!state.object(whole).moved || !state.object(part).is_module()) return;
  Place moved_to = state.object(whole).moved_to;
  Object& made = state.edit(part);
  made.moved = true;
  made.moved_to = moved_to;
}

Value Activation::field_address(State& state, const Value& object, const std::string& field) {
  ObjectId id = state.object_id_of(object);
  if (id == kNoObject) {
    // A record in memory of which only the place is known.
    Value pointer = state.pointed(object);
    if (pointer.is_pointer()) pointer.path = Value::kWithin;
    return pointer.is_pointer() ? pointer : Value::unknown();
  }
  const Object& holder = state.object(id);
  Name field_name = name(field);
  const Value* present = holder.find(field_name);
  if (present && present->bound) {
    Value address = *present;
    address.bound = false;
    return address;
  }
  if (!present && !holder.complete) {
    const ir::Class* type = holder.type;
    const ir::Field* declared = type ? program().find_field(*type, field) : nullptr;
    Value value = Value::unknown();
    if (declared) {
      Name label = names().derive(field + "#" + names().text(holder.symbol), {holder.symbol});
      value = symbolic(declared->type, label, state, declared);
      ObjectId part = state.object_id_of(value);
      if (part != kNoObject) {
        move_along(state, id, part);
        follow_prototype(state, part, *type, field_name, declared);
      }
    }
    state.edit(id).set(field_name, value);
  }
  return Value::address(id, Value::kField, field_name);
}

void Activation::fill_member(State& state, const Value& address, const void* site) {
  bool is_field =
      address.is(ValueKind::kAddress) && address.path == Value::kField && state.has(address.object);
  if (!is_field) return;
  const Object& holder = state.object(address.object);
  if (!holder.complete || !holder.type || holder.find(address.name)) return;
  const ir::Field* declared = program().find_field(*holder.type, names().text(address.name));
  if (!declared || declared->type.kind != ir::TypeKind::kContainer) return;
  ObjectId id = allocate(site, 1);
  Object container = open_list(Value::none());
  container.is_map = declared->type.arguments.size() == 2;
  state.put(id, std::move(container));
  state.edit(address.object).set(address.name, Value::object_ref(id));
}

// `weight = weight.to(device)`: what is registered is the parameter as before, and the member is a
// copy of it.
void Activation::note_member_copy(const State& state, Object& module, Name member,
                                  const Value& stored) {
  const Value* old = module.find(member);
  const Name mark = name(kParameterInCopy);
  if (is_dynamic_ || !module.is_module() || !old || !stored.is_tensor()) return;
  if (stored.place.kind == PlaceKind::kCell) return module.erase(mark);
  const bool is_parameter =
      old->is_tensor() && old->place.kind == PlaceKind::kCell &&
      std::ranges::any_of(module.registered, [&](const Registered& each) {
        return each.kind == RegisteredKind::kParameter && same(each.value, *old);
      });
  const bool is_moved = stored.place.is_known() && !(stored.place == state.place_of(*old)) &&
                        origin_of(stored.origin).kind == OriginKind::kMoved;
  if (!is_parameter || !is_moved) return;
  Value copied = Value::boolean(true);
  copied.origin = stored.origin;
  module.set(mark, copied);
}

void Activation::assign(State& state, const Value& address, const Value& value) {
  if (!address.is(ValueKind::kAddress)) {
    // `*pointer = record`: the handle is the object, whose fields are replaced.
    const Object* from = state.object_of(value);
    ObjectId id = state.object_id_of(address);
    if (from && id != kNoObject && from->kind == state.object(id).kind &&
        from != &state.object(id)) {
      Object copy = *from;
      state.put(id, std::move(copy));
    }
    return;
  }
  if (!state.has(address.object)) return;
  Value stored = value;
  stored.bound = false;
  Object& object = state.edit(address.object);
  switch (address.path) {
    case Value::kField:
      stored.borrowed =
          stored.is_object() && stored.object < entry_.caller_ids.size() && object.is_module();
      if (stored.is_tensor() && object.is_module()) stored.stray = false;
      note_member_copy(state, object, address.name, stored);
      object.set(address.name, stored);
      return;
    case Value::kBoxed:
      object.elements.assign(1, stored);
      return;
    case Value::kEachElement:
      for (Value& element : object.elements) element = stored;
      if (object.open) object.rest = stored;
      return;
    case Value::kSomeElement: {
      bool is_map = object.kind == ObjectKind::kContainer &&
                    (object.elements.empty() || !object.keys.empty());
      if (is_map && !object.open) open_container(object);
      for (Value& element : object.elements) element = join(element, stored, 0);
      if (object.open)
        object.rest = object.rest.is(ValueKind::kNone) ? stored : join(object.rest, stored, 0);
      return;
    }
    default: {
      if (static_cast<size_t>(address.path) >= object.elements.size()) return;
      Value& element = object.elements[address.path];
      // A tuple of references, such as a map's element in a loop.
      bool is_reference = object.kind == ObjectKind::kTuple && element.is(ValueKind::kAddress);
      if (is_reference) return assign(state, Value(element), value);
      element = stored;
    }
  }
}

Value Activation::read_member(State& state, const Value& address) {
  Value value = state.read(address);
  bool is_field =
      address.is(ValueKind::kAddress) && address.path == Value::kField && state.has(address.object);
  if (!is_field || !value.is_tensor() || value.place.kind == PlaceKind::kCell) return value;
  const Object& owner = state.object(address.object);
  if (!owner.is_module() || !owner.type) return value;
  value.stray = true;
  value.name = name(owner.type->key + "\n" + names().text(address.name));
  return value;
}

Value Activation::copy(State& state, const Value& value, const void* site, uint32_t first,
                       SiteId inner) {
  if (std::optional<Value> pointer = held_pointer(state, value)) return *pointer;
  Value direct = read_member(state, value);
  if (!direct.is_object() || !state.has(direct.object)) return direct;
  const Object& original = state.object(direct.object);
  bool by_value = original.kind == ObjectKind::kRecord || original.kind == ObjectKind::kContainer ||
                  original.kind == ObjectKind::kTuple;
  if (!by_value || original.is_pointee) return direct;
  uint32_t made = first;
  std::function<Value(const Value&, int)> clone = [&](const Value& from, int depth) {
    Object object = state.object(from.object);
    ObjectId id = allocate(site, made++, inner);
    auto nested = [&](Value& held) {
      if (!held.is_object() || !state.has(held.object) || depth >= 4) return;
      const Object& part = state.object(held.object);
      if (is_list(part) && !part.is_pointee) held = clone(held, depth + 1);
    };
    for (auto& [field, held] : object.fields) {
      const ir::Field* declared =
          object.type ? program().find_field(*object.type, names().text(field)) : nullptr;
      bool is_record = declared && declared->type.kind == ir::TypeKind::kRecord &&
                       held.is_object() && state.has(held.object) &&
                       state.object(held.object).kind == ObjectKind::kRecord;
      if (is_record && depth < 4) {
        held = clone(held, depth + 1);
      } else {
        nested(held);
      }
    }
    for (Value& held : object.elements) nested(held);
    nested(object.rest);
    state.put(id, std::move(object));
    Value copied = from;
    copied.object = id;
    return copied;
  };
  return clone(direct, 0);
}

}  // namespace placecheck::dataflow
