#include "analyzer/dataflow/memory_facts.h"

namespace placecheck::dataflow {
namespace {

// An object that the program made itself, not one that stands for what a caller passes.
bool is_own(const Object& object) {
  bool is_variable = object.kind == ObjectKind::kBox || object.kind == ObjectKind::kContainer ||
                     object.kind == ObjectKind::kRecord;
  return is_variable && object.complete && object.symbol == 0;
}

MemoryFact of_object(const Object& object, Names& names) {
  const Name elsewhere = names.intern(kElsewhereField);
  MemoryFact memory;
  if (!is_own(object) || object.find(elsewhere)) return memory;
  memory.place = Place::cpu();
  memory.origin = object.origin;
  for (const auto& [field, value] : object.fields) {
    if (names.text(field) == kPinnedField) memory.is_pinned = value.number != 0;
  }
  return memory;
}

MemoryFact memory_of(const State& state, Names& names, const Value& argument) {
  Value value = state.pointed(argument);
  if (value.is(ValueKind::kAddress)) {
    return state.has(value.object) ? of_object(state.object(value.object), names) : MemoryFact();
  }
  if (value.is_pointer()) return memory_behind(value);
  MemoryFact memory;
  if (value.is(ValueKind::kString)) memory.place = Place::cpu();
  bool is_one = value.is_object() && state.has(value.object) &&
                (state.object(value.object).kind == ObjectKind::kContainer ||
                 state.object(value.object).kind == ObjectKind::kRecord);
  return is_one ? of_object(state.object(value.object), names) : memory;
}

}  // namespace

MemoryFact memory_behind(const Value& pointer) {
  MemoryFact memory;
  // What the host keeps in such memory is not followed.
  if (pointer.path == Value::kWithin && pointer.place.is_cpu()) return memory;
  memory.place = pointer.place;
  memory.is_pinned = pointer.number == Value::kPinned;
  memory.origin = pointer.origin;
  return memory;
}

MemoryFact memory_at(CallContext& context, size_t i) {
  MemoryFact memory;
  if (i < context.count())
    memory = memory_of(context.state, context.activation.names(), context.arguments[i]);
  memory.range = context.range(i);
  if (i < context.call().arguments.size()) memory.member = context.call().arguments[i].name;
  return memory;
}

}  // namespace placecheck::dataflow
