#include "analyzer/dataflow/saved_state.h"

#include <utility>

#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kPlace = "place";

}  // namespace

Object saved_state_at(CallContext& context, const Place& place) {
  Object saved;
  saved.kind = ObjectKind::kLibrary;
  saved.origin = context.origin(OriginKind::kLoaded);
  saved.set(context.name(kPlace), Value::device(place));
  return saved;
}

std::optional<Place> place_in(CallContext& context, const Object& saved) {
  const Value* place = saved.find(context.name(kPlace));
  return place ? std::optional(place->place) : std::nullopt;
}

std::vector<std::string> keys_in(CallContext& context, const Object& saved) {
  std::vector<std::string> keys;
  keys.reserve(saved.keys.size());
  for (const Value& key : saved.keys) keys.push_back(context.activation.names().text(key.name));
  return keys;
}

std::optional<std::vector<std::string>> keys_of_module(CallContext& context, ObjectId module) {
  std::vector<std::pair<std::string, Value>> tensors;
  if (!registered_tensors(context.state, context.activation.names(), module, "", tensors))
    return std::nullopt;
  std::vector<std::string> keys;
  keys.reserve(tensors.size());
  for (const auto& [name, value] : tensors) keys.push_back(name);
  return keys;
}

LoadStateEvent load_event(CallContext& context, ObjectId module,
                          std::vector<std::string> saved_keys,
                          std::vector<std::string> expected_keys) {
  LoadStateEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.saved_keys = std::move(saved_keys);
  event.expected_keys = std::move(expected_keys);
  event.type_name = context.activation.names().text(context.state.object(module).type_name);
  return event;
}

}  // namespace placecheck::dataflow
