// What other threads of the program may do while this one waits for them.
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

// They put something in its lists and queues, and change its numbers. Where something is they are
// taken to leave alone.
void change_shared(State& state, ObjectId shared) {
  for (const auto& [name, held] : std::vector(state.object(shared).fields)) {
    const Value value = state.read(held);
    ObjectId id = state.object_id_of(value);
    if (id != kNoObject && state.object(id).kind == ObjectKind::kContainer) {
      Object& list = state.edit(id);
      open_container(list);
      if (list.rest.is(ValueKind::kNone)) list.rest = Value::unknown();
    } else if (value.is_scalar()) {
      state.edit(shared).set(name, Value::unknown());
    }
  }
}

}  // namespace

void let_others_run(CallContext& context) {
  State& state = context.state;
  std::vector<Value> seen{context.activation.load_slot(state, "this")};
  const Object* condition =
      context.count() > 0 ? state.object_of(context.arguments.back()) : nullptr;
  if (condition && condition->kind == ObjectKind::kClosure)
    seen.insert(seen.end(), condition->elements.begin(), condition->elements.end());
  for (const Value& each : seen) {
    ObjectId id = state.object_id_of(each);
    if (id != kNoObject && state.object(id).kind == ObjectKind::kRecord) change_shared(state, id);
  }
}

}  // namespace placecheck::dataflow
