// Functions that are called later, or elsewhere: functools.partial, and executors of threads.
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/new_thread.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kPartial = "functools.partial";
constexpr std::string_view kFuture = "concurrent.futures.Future";
constexpr std::string_view kResult = "<result>";
constexpr std::string_view kInitializer = "initializer";
constexpr std::string_view kInitializerArguments = "initargs";

bool is_executor(std::string_view type) {
  return type.ends_with("ThreadPoolExecutor") || type.ends_with("ThreadPool");
}

// What each thread of an executor runs before its tasks.
void run_initializer(CallContext& context, const Value& executor) {
  const Object* object = context.state.object_of(executor);
  const Value* initializer = object ? object->find(context.name(kInitializer)) : nullptr;
  if (!initializer) return;
  const Value function = *initializer;
  const Value* given = object->find(context.name(kInitializerArguments));
  const Object* list = given ? context.state.object_of(*given) : nullptr;
  Given arguments;
  arguments.is_open = given && (!list || !is_list(*list) || list->open);
  if (list && !arguments.is_open)
    for (const Value& each : std::vector<Value>(list->elements))
      arguments.add(context.state.read(each), {}, Given::kMade);
  Exits exits = call_value(context, function, arguments);
  if (exits.size() == 1)
    context.state = std::move(exits.front().state);
  else
    context.state.thread.current_device = Place::cuda_at(0);
}

// A task in a thread of the executor, which has selected no device unless the executor's
// initializer does; the result is that of the call.
Exits run_task(CallContext& context, const Value& executor, const Value& function,
               const Given& given) {
  Exits exits = run_in_new_thread(context, [&] {
    run_initializer(context, executor);
    return call_value(context, function, given);
  });
  return exits.empty() ? single_exit(context, Value::unknown()) : exits;
}

Exits submit(CallContext& context, const Given& given) {
  Exits exits = run_task(context, given.values[0], given.values[1], given.without(2));
  for (Exit& exit : exits) {
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    Object future = after.library_object(kFuture);
    future.set(after.name(kResult), exit.value);
    exit.value = after.make(std::move(future), 975);
  }
  return exits;
}

// `pool.map(function, items)` of a short list: a call for each of them, in their order.
Exits map_over(CallContext& context, const Given& given) {
  const Object* items = context.state.object_of(given.values[2]);
  const bool is_short = items && is_list(*items) && !items->open && given.size() == 3 &&
                        items->elements.size() <= static_cast<size_t>(kMostTurns);
  if (!is_short) return single_exit(context, forget(context, given.without(1)));
  std::vector<Value> results;
  for (const Value& item : std::vector<Value>(items->elements)) {
    Given one_item;
    one_item.add(context.state.read(item), {}, given.sources[2]);
    Exits exits = run_task(context, given.values[0], given.values[1], one_item);
    context.state = std::move(exits.front().state);
    results.push_back(exits.size() == 1 ? exits.front().value : Value::unknown());
  }
  return single_exit(context, make_list(context, std::move(results), ObjectKind::kContainer, 976));
}

}  // namespace

Value make_partial(CallContext& context, const Given& given) {
  Object partial = context.library_object(kPartial);
  partial.elements = given.values;
  for (const std::string& each : given.names)
    partial.keys.push_back(Value::string(context.name(each)));
  return context.make(std::move(partial));
}

std::optional<Value> partial_function(CallContext& context, const std::string& name,
                                      const Given& given) {
  if (name != kPartial || given.size() == 0 || given.is_open) return std::nullopt;
  return make_partial(context, given);
}

std::optional<Exits> call_partial(CallContext& context, const Object& partial, const Given& given) {
  if (!is_kind(context, &partial, kPartial) || partial.elements.empty()) return std::nullopt;
  const Value callee = partial.elements[0];
  const Names& names = context.activation.names();
  Given all;
  all.is_open = given.is_open;
  all.open_table = given.open_table;
  all.is_tried = given.is_tried;
  for (size_t i = 1; i < partial.elements.size(); ++i) {
    const std::string& name = names.text(partial.keys[i].name);
    if (name.empty()) all.add(partial.elements[i], {}, Given::kMade);
  }
  for (size_t i = 0; i < given.size(); ++i)
    all.add(given.values[i], given.names[i], given.sources[i]);
  // A keyword of the call stands before the one that was given first.
  for (size_t i = 1; i < partial.elements.size(); ++i) {
    const std::string& name = names.text(partial.keys[i].name);
    if (!name.empty() && !given.named(name)) all.add(partial.elements[i], name, Given::kMade);
  }
  return call_value(context, callee, all);
}

std::optional<Value> make_executor(CallContext& context, std::string_view name,
                                   const Given& given) {
  const std::optional<size_t> initializer =
      is_executor(name) ? given.named(kInitializer) : std::nullopt;
  if (!initializer) return std::nullopt;
  Object executor = context.library_object(name);
  executor.set(context.name(kInitializer), context.state.read(given.values[*initializer]));
  if (const std::optional<size_t> arguments = given.named(kInitializerArguments))
    executor.set(context.name(kInitializerArguments), context.state.read(given.values[*arguments]));
  return context.make(std::move(executor));
}

std::optional<Exits> executor_method(CallContext& context, std::string_view name,
                                     const Given& given) {
  const Object* object = context.state.object_of(given.values[0]);
  if (!object) return std::nullopt;
  if (is_kind(context, object, kFuture)) {
    if (name == "result") return single_exit(context, *object->find(context.name(kResult)));
    return single_exit(context,
                       context.activation.fresh_symbol(context.instruction, context.state));
  }
  const std::string& type = context.activation.names().text(object->type_name);
  if (!is_executor(type)) return std::nullopt;
  if (name == "submit" && given.size() > 1) return submit(context, given);
  if (name == "map" && given.size() > 2) return map_over(context, given);
  return std::nullopt;
}

}  // namespace placecheck::dataflow
