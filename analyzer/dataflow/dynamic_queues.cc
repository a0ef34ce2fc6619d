// Queues between threads: what one puts in, another takes out.
#include <algorithm>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kQueue = "queue.Queue";
// Fields of a queue: a list of what was put in, and what tells that no more comes: None, or an
// object of which nothing is known.
constexpr std::string_view kItems = "<items>";
constexpr std::string_view kEnd = "<end>";

bool is_content(CallContext& context, const Value& value) {
  return value.is_tensor() || value.is(ValueKind::kInt) || value.is(ValueKind::kString) ||
         value.is(ValueKind::kDevice) || context.state.object_of(value);
}

void put(CallContext& context, ObjectId queue, const Value& items, const Value& value) {
  if (!is_content(context, value)) return context.state.edit(queue).set(context.name(kEnd), value);
  Given item;
  item.add(items, {}, Given::kMade);
  item.add(value, {}, Given::kMade);
  list_method(context, "append", item);
}

// One of the items, or what comes behind the last.
Exits taken(CallContext& context, ObjectId queue, ObjectId items) {
  const Value* end = context.state.object(queue).find(context.name(kEnd));
  const Object& list = context.state.object(items);
  if (list.has_no_elements()) return one(context, Value::unknown());
  Exits exits;
  if (end) exits.push_back({context.state, *end});
  const Value item = some_item(context, Object(list));
  Exits more = one(context, item);
  exits.push_back(std::move(more.front()));
  return exits;
}

}  // namespace

std::optional<Value> make_queue(CallContext& context, std::string_view name) {
  constexpr std::string_view kModules[] = {"queue.", "multiprocessing.", "torch.multiprocessing."};
  const bool is_queue =
      name.ends_with("Queue") && std::ranges::any_of(kModules, [&](std::string_view library) {
        return name.starts_with(library);
      });
  if (!is_queue) return std::nullopt;
  Object queue = context.library_object(kQueue);
  Object list;
  list.kind = ObjectKind::kContainer;
  queue.set(context.name(kItems), context.make(std::move(list), 962));
  return context.make(std::move(queue), 961);
}

std::optional<Exits> queue_method(CallContext& context, std::string_view name, const Given& given) {
  const ObjectId id = context.state.object_id_of(given.values[0]);
  if (id == kNoObject || context.state.object(id).type_name != context.name(kQueue))
    return std::nullopt;
  const Value* list = context.state.object(id).find(context.name(kItems));
  const ObjectId items = list ? context.state.object_id_of(*list) : kNoObject;
  if (items == kNoObject) return std::nullopt;
  if ((name == "put" || name == "put_nowait") && given.size() > 1) {
    put(context, id, Value::object_ref(items), given.values[1]);
    return one(context, Value::none());
  }
  if (name == "get" || name == "get_nowait") return taken(context, id, items);
  return std::nullopt;
}

}  // namespace placecheck::dataflow
