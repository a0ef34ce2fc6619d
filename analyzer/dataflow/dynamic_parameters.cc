// The parameters of a module as a list: which there are, and how many, as far as that is known.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kCount = "<parameters>";
constexpr size_t kMostParameters = 64;

// Layers with a weight, and what else is there unless an argument says otherwise.
struct LayerParameters {
  std::string_view name;    // how the class is called, or begins to be
  std::string_view option;  // the argument that switches on...
  size_t position;          // ...and where it stands
  int64_t with, without;    // how many there are with it, and without
};

constexpr LayerParameters kLayers[] = {
    {"BatchNorm", "affine", 3, 2, 0}, {"Bilinear", "bias", 3, 2, 1},
    {"Conv", "bias", 7, 2, 1},        {"Embedding", "", 0, 1, 1},
    {"GroupNorm", "affine", 3, 2, 0}, {"LayerNorm", "elementwise_affine", 2, 2, 0},
    {"Linear", "bias", 2, 2, 1},      {"PReLU", "", 0, 1, 1},
};

// Collects what parameters() yields, in its order: those of a module before those below it. A
// tensor that several share is yielded once.
class Collector {
 public:
  explicit Collector(CallContext& context) : context_(context) {}

  // Whether all of them are known.
  bool collect(ObjectId module, int depth) {
    constexpr int kDeepest = 32;
    const Object& object = context_.state.object(module);
    if (!object.complete || depth > kDeepest || found.size() > kMostParameters) return false;
    bool is_whole = true;
    const Value* count = object.find(context_.name(kCount));
    for (const Registered& entry : object.registered) {
      if (entry.kind == RegisteredKind::kModule) continue;
      const bool is_state = entry.name == context_.name(kModuleState) && is_layer(object);
      if (entry.kind == RegisteredKind::kBuffer) continue;
      if (is_state && !count) counts_ = false;
      add(entry.value, is_state && count ? count->number : 1);
    }
    for (const Registered& entry : object.registered) {
      if (entry.kind != RegisteredKind::kModule) continue;
      const Value child = context_.state.read(entry.value);
      if (child.is(ValueKind::kNone)) continue;
      if (child.is_tensor()) {  // of a ParameterList
        add(child, 1);
        continue;
      }
      const ObjectId id = context_.state.object_id_of(child);
      is_whole = id != kNoObject && entry.either.empty() && collect(id, depth + 1) && is_whole;
    }
    return is_whole;
  }

  // Whether it is known how many there are, and in which order.
  bool counts() const { return counts_; }

  std::vector<Value> found;

 private:
  // One tensor stands for the whole state of a library's layer.
  bool is_layer(const Object& object) { return model_of(context_.activation, object) != nullptr; }

  void add(const Value& tensor, int64_t times) {
    const bool is_cell = tensor.place.kind == PlaceKind::kCell;
    if (is_cell && !seen_.insert(tensor.place.symbol).second) return;
    for (int64_t i = 0; i < times; ++i) found.push_back(tensor);
  }

  CallContext& context_;
  std::set<Name> seen_;
  bool counts_ = true;
};

}  // namespace

void note_parameters(CallContext& context, ObjectId layer, const std::string& name,
                     const Given& given) {
  if (given.is_open) return;
  const std::string_view own = last_part(name);
  const auto* row = std::ranges::find_if(
      kLayers, [&](const LayerParameters& each) { return own.starts_with(each.name); });
  if (row == std::end(kLayers)) return;
  int64_t count = row->with;
  if (std::optional<size_t> at =
          row->option.empty() ? std::nullopt : given.find(row->option, row->position)) {
    const Value value = context.state.read(given.values[*at]);
    if (!value.is(ValueKind::kBool)) return;
    count = value.number != 0 ? row->with : row->without;
  }
  context.state.edit(layer).set(context.name(kCount), Value::integer(count));
}

Object parameters_in(CallContext& context, const Value& parameters) {
  constexpr size_t kMostListed = 24;
  Collector collector(context);
  const bool is_known = context.state.has(parameters.object) &&
                        parameters.number != Value::kBuffers &&
                        collector.collect(parameters.object, 0) && !collector.found.empty() &&
                        collector.found.size() <= kMostParameters;
  if (!is_known)
    return open_list(parameter_of(context.activation, context.state, parameters.object));
  Object list;
  list.kind = ObjectKind::kContainer;
  list.elements = std::move(collector.found);
  if (!collector.counts() || list.elements.size() > kMostListed)
    forget_order(list, context.activation.names());
  return list;
}

bool is_wrapper(CallContext& context, ObjectId module) {
  if (!context.state.has(module)) return false;
  const Object& object = context.state.object(module);
  return is_data_parallel(context, object) || is_distributed(context, object);
}

Value parameter_at(CallContext& context, const Value& parameters, const Value& index) {
  const Object list = parameters_in(context, parameters);
  const std::optional<size_t> position = position_in(list, index);
  return position ? list.elements[*position] : some_item(context, list);
}

namespace {

// The first of a module's parameters; none where it has none, or where that is not known, which
// clears `is_known`.
std::optional<Value> first_parameter_of(CallContext& context, ObjectId module, bool& is_known,
                                        int depth) {
  const bool is_whole = context.state.has(module) && context.state.object(module).complete;
  is_known = is_known && is_whole && depth > 0;
  if (!is_known) return std::nullopt;
  const Object& object = context.state.object(module);
  const Value* count = object.find(context.name(kCount));
  for (const Registered& entry : object.registered) {
    if (entry.kind != RegisteredKind::kParameter) continue;
    const bool is_of_layer = entry.name == context.name(kModuleState);
    if (!is_of_layer || !count || count->number != 0) return entry.value;
  }
  for (const Registered& entry : object.registered) {
    if (entry.kind != RegisteredKind::kModule) continue;
    const Value child = context.state.read(entry.value);
    if (child.is(ValueKind::kNone)) continue;
    if (child.is_tensor()) return child;  // of a ParameterList
    const ObjectId id = context.state.object_id_of(child);
    is_known = id != kNoObject && entry.either.empty();
    if (!is_known) return std::nullopt;
    if (std::optional<Value> first = first_parameter_of(context, id, is_known, depth - 1))
      return first;
    if (!is_known) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Value> first_parameter(CallContext& context, const Value& parameters) {
  constexpr int kDeepest = 32;
  bool is_known = parameters.number != Value::kBuffers;
  return first_parameter_of(context, parameters.object, is_known, kDeepest);
}

Value some_parameter(CallContext& context, const Value& parameters) {
  const Value any = parameter_of(context.activation, context.state, parameters.object);
  std::vector<std::pair<std::string, Value>> tensors;
  const bool are_together = any.place.is_known() &&
                            registered_tensors(context.state, context.activation.names(),
                                               parameters.object, "", tensors) &&
                            !tensors.empty();
  if (!are_together) return any;
  Value first = tensors[0].second;
  first.rank = any.rank;
  first.one_of = true;
  return first;
}

std::optional<Value> parameters_apart(CallContext& context, const Value& value) {
  if (!value.is(ValueKind::kParameters)) return std::nullopt;
  Object list = parameters_in(context, value);
  if (list.open || list.elements.size() > static_cast<size_t>(kMostTurns)) return std::nullopt;
  const Place first = context.state.place_of(list.elements[0]);
  const bool are_apart = std::ranges::any_of(
      list.elements, [&](const Value& each) { return !(context.state.place_of(each) == first); });
  if (!are_apart) return std::nullopt;
  return context.make(std::move(list), 929);
}

}  // namespace placecheck::dataflow
