// State dicts: tables of the names and tensors of a module, saved, loaded and put back.
#include <algorithm>
#include <functional>
#include <set>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/saved_state.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kPlace = "place";

// A copy of a module, its own tensors passed through `map`.
Value module_snapshot(CallContext& context, const Value& module,
                      const std::function<Value(Value)>& map) {
  const Value copy = deep_copy(context, module);
  std::vector<std::pair<std::string, Value>> tensors;
  if (!registered_tensors(context.state, context.activation.names(), copy.object, "", tensors))
    return Value::unknown();
  for (const auto& [name, tensor] : tensors) {
    if (tensor.place.kind != PlaceKind::kCell) return Value::unknown();
    Object& cell = context.state.edit(tensor.place.symbol);
    cell.elements[0] = map(cell.elements[0]);
  }
  return copy;
}

// A copy of a value with all that it holds, its tensors passed through `map`.
Value snapshot(CallContext& context, const Value& value, const std::function<Value(Value)>& map,
               uint32_t& made, int depth) {
  constexpr int kDeepest = 4;
  Value direct = context.state.read(value);
  if (direct.is_tensor()) return map(context.state.decider_of(direct));
  const Object* object = context.state.object_of(direct);
  if (!object) return direct;
  if (object->is_module()) return module_snapshot(context, direct, map);
  if (!is_list(*object) || depth > kDeepest) return direct;
  Object copy = *object;
  for (Value& each : copy.elements) each = snapshot(context, each, map, made, depth + 1);
  if (copy.open) copy.rest = snapshot(context, copy.rest, map, made, depth + 1);
  return context.make(std::move(copy), 820 + made++);
}

bool has_known_keys(const Object& table) {
  if (table.kind != ObjectKind::kContainer || table.open || table.keys.empty()) return false;
  for (const Value& key : table.keys) {
    if (!key.is(ValueKind::kString)) return false;
  }
  return true;
}

// `assign=True`: the module takes over the table's tensors, wherever they are.
void take_over(CallContext& context, ObjectId module, const Value& table) {
  State& state = context.state;
  std::vector<std::pair<std::string, Value>> tensors;
  const bool has_names = registered_tensors(state, context.activation.names(), module, "", tensors);
  move_module(state, module, Place::unknown(), 0);
  const Object* object = state.object_of(table);
  if (!has_names || !object || !has_known_keys(*object)) return;
  const Object given = *object;
  for (const auto& [name, tensor] : tensors) {
    if (tensor.place.kind != PlaceKind::kCell) continue;
    const auto key = std::ranges::find(given.keys, context.name(name), &Value::name);
    if (key == given.keys.end()) continue;
    state.edit(tensor.place.symbol).elements[0] =
        state.read(given.elements[static_cast<size_t>(key - given.keys.begin())]);
  }
}

}  // namespace

Value state_dict_of(CallContext& context, ObjectId module) {
  std::vector<std::pair<std::string, Value>> tensors;
  Object table;
  table.kind = ObjectKind::kContainer;
  table.is_map = true;
  table.origin = context.origin(OriginKind::kLoaded);
  if (module == kNoObject ||
      !registered_tensors(context.state, context.activation.names(), module, "", tensors)) {
    table.open = true;
    const Value any = context.state.has(module)
                          ? parameter_of(context.activation, context.state, module)
                          : Value::unknown();
    table.rest = any.place.is_known() ? any : Value::unknown();
    return context.make(std::move(table));
  }
  for (const auto& [name, value] : tensors) {
    table.keys.push_back(Value::string(context.name(name)));
    table.elements.push_back(value);
  }
  return context.make(std::move(table));
}

void load_state_dict(CallContext& context, ObjectId module, const Given& given) {
  std::optional<size_t> table = given.find("state_dict", 1);
  const std::optional<size_t> assign = given.find("assign", 3);
  const bool keeps_its_own =
      !assign || (given.values[*assign].is(ValueKind::kBool) && given.values[*assign].number == 0);
  if (table && module != kNoObject && !keeps_its_own) {
    take_over(context, module, given.values[*table]);
  }
  const Object* saved = table ? context.state.object_of(given.values[*table]) : nullptr;
  const bool is_empty = saved && saved->is_map && !saved->open && saved->has_no_elements();
  const bool has_keys = saved && (is_empty || has_known_keys(*saved));
  if (!has_keys || module == kNoObject || given.is_tried) return;
  std::optional<std::vector<std::string>> expected = keys_of_module(context, module);
  if (!expected) return;
  std::optional<size_t> strict = given.find("strict", 2);
  LoadStateEvent event =
      load_event(context, module, keys_in(context, *saved), std::move(*expected));
  event.saved_at = saved->origin;
  event.reader = KeyReader::kStateDict;
  if (strict) {
    const Value& wanted = given.values[*strict];
    if (!wanted.is(ValueKind::kBool)) return;
    event.strict = wanted.number != 0;
    // The program looks at the result, which lists the keys that were missing.
    if (!event.strict && !context.call().discarded) return;
  }
  context.activation.notify(event, context.state);
}

void strip_prefix(CallContext& context, const Given& given) {
  std::optional<size_t> table = given.find("state_dict", 0), prefix = given.find("prefix", 1);
  ObjectId id = table ? context.state.object_id_of(given.values[*table]) : kNoObject;
  if (id == kNoObject || context.state.object(id).kind != ObjectKind::kContainer) return;
  std::optional<std::string> part = prefix ? context.text(given.values[*prefix]) : std::nullopt;
  Object& keys = context.state.edit(id);
  if (!part || !has_known_keys(keys)) {
    open_container(keys);
    keys.rest = Value::unknown();
    return;
  }
  for (Value& key : keys.keys) {
    const std::string& text = context.activation.names().text(key.name);
    if (text.starts_with(*part)) key = Value::string(context.name(text.substr(part->size())));
  }
}

void save_file(CallContext& context, const Given& given) {
  std::optional<size_t> what = given.find("obj", 0), path = given.find("f", 1);
  if (!what || !path) return;
  Value value = given.values[*what];
  ObjectId id = context.state.object_id_of(value);
  if (id != kNoObject && context.state.object(id).is_module()) {
    context.activation.notify(ModuleEvent{context.activation.site(context.instruction.range),
                                          ModuleAction::kSaved, id, "save"},
                              context.state);
  }
  // Where all of it is, if at one place.
  std::optional<Place> place;
  bool is_one = true;
  uint32_t made = 0;
  Value copy = snapshot(
      context, value,
      [&](const Value& tensor) {
        is_one = is_one && (!place || *place == tensor.place);
        place = tensor.place;
        return tensor;
      },
      made, 0);
  Object record = context.library_object("a file");
  record.set(context.name("content"), copy);
  record.set(context.name(kPlace), Value::device(place && is_one ? *place : Place::unknown()));
  record.origin = context.origin(OriginKind::kLoaded);
  write_file(context, given.values[*path], context.make(std::move(record), 840));
}

namespace {

// `map_location={"cuda:0": "cuda:1"}`: from where to where; empty where not all of it is known.
std::vector<std::pair<Place, Place>> table_of_places(CallContext& context, const Value& table) {
  const Object* object = context.state.object_of(table);
  if (!object || !object->is_map || object->open || object->keys.size() != object->elements.size())
    return {};
  std::vector<std::pair<Place, Place>> moves;
  const Object entries = *object;
  for (size_t i = 0; i < entries.keys.size(); ++i) {
    const Value from = as_device(context, entries.keys[i]);
    const Value to = as_device(context, entries.elements[i]);
    if (!from.is(ValueKind::kDevice) || !to.is(ValueKind::kDevice)) return {};
    if (!from.place.is_known() || !to.place.is_known()) return {};
    moves.emplace_back(from.place, to.place);
  }
  return moves;
}

}  // namespace

bool is_number(const Value& value, const Names& names) {
  if (value.is(ValueKind::kInt)) return true;
  return value.is(ValueKind::kSymbol) &&
         (names.is_term(value.name, kInteger) || names.text(value.name) == kRankOfProcess);
}

Value load_file(CallContext& context, const Given& given) {
  std::optional<size_t> path = given.find("f", 0), location = given.find("map_location", 1);
  std::vector<Value> arguments{path ? given.values[*path] : Value::unknown()};
  const Value where = location ? context.state.read(given.values[*location]) : Value::none();
  if (is_number(where, context.activation.names()) && !given.is_tried) {
    DeviceTextEvent event;
    event.site = context.activation.site(context.instruction.range);
    event.text = where.is(ValueKind::kInt) ? std::to_string(where.number) : "a number";
    event.is_number = true;
    context.activation.notify(event, context.state);
    return Value::unknown();
  }
  const std::vector<std::pair<Place, Place>> moves = table_of_places(context, where);
  Value mapped = location ? as_device(context, where) : Value::none();
  arguments.push_back(mapped);
  CallContext step{context.activation, context.state, context.instruction, arguments};
  FileSource source = file_source(step, 0);
  if (given.is_open) source.may_be_asked = true;
  const auto is_left_out = [&](const Place& place) {
    return !moves.empty() && place.is_known() && place.symbol == 0;
  };
  const Object* record = context.state.object_of(source.record);
  const Value* content = record ? record->find(context.name("content")) : nullptr;
  if (!content) return Value::unknown();
  OriginId saved_at = record->origin;
  uint32_t made = 20;
  Value held = *content;
  std::set<int32_t> saved_from;  // indices of the devices that nothing maps
  const Value loaded = snapshot(
      context, held,
      [&](Value tensor) {
        Origin origin;
        origin.kind = OriginKind::kLoaded;
        origin.site = context.activation.site(context.instruction.range);
        const auto move = std::ranges::find(moves, tensor.place, &std::pair<Place, Place>::first);
        if (move != moves.end()) {
          tensor.place = move->second;
        } else if (source.asked) {
          tensor.place = resolve(context.state, *source.asked);
        } else if (source.may_be_asked && !is_left_out(tensor.place)) {
          tensor.place = Place::unknown();
        } else {
          if (tensor.place.kind == PlaceKind::kCuda) saved_from.insert(tensor.place.index);
          origin.by_file = true;
          origin.file = source.slot;
          origin.is_literal = source.is_literal;
          origin.saved_at = saved_at;
        }
        tensor.input = Value::kNotInput;
        tensor.origin = context.activation.add_origin(origin);
        return tensor;
      },
      made, 0);
  if (!given.is_tried) {
    for (int32_t index : saved_from) load_onto_saved_device(context, Place::cuda(index), saved_at);
  }
  if (const ObjectId id = context.state.object_id_of(loaded);
      id != kNoObject && is_table(context.state.object(id))) {
    Value written = Value::none();
    written.origin = saved_at;
    context.state.edit(id).set(context.name(kSavedAt), written);
  }
  return loaded;
}

}  // namespace placecheck::dataflow
