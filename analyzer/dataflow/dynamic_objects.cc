// Elements, literals and identity in programs without types.
#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/host_traffic.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/optimizers.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/dataflow/text_terms.h"
#include "rules/visible_devices.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kLibrary = "a library's ";
constexpr std::string_view kClass = "the class ";
constexpr std::string_view kMembers = "the members of a module";
constexpr std::string_view kSlice = "a slice";
constexpr std::string_view kEnvironment = "os.environ";

// Positions from the end count back, and truth values are positions as well.
Value normalized_index(const Object& list, Value index) {
  bool is_whole = list.kind == ObjectKind::kTuple || !list.open;
  if (index.is(ValueKind::kBool)) index = Value::integer(index.number);
  if (index.is(ValueKind::kInt) && index.number < 0 && is_whole && !list.is_map)
    index.number += static_cast<int64_t>(list.elements.size());
  return index;
}

bool is_slice(CallContext& context, const Value& index) {
  const Object* object = context.state.object_of(index);
  return object && context.activation.names().text(object->type_name) == kSlice;
}

void set_environment(CallContext& context, const Value& name, const Value& value, bool overwrites) {
  forget_variable(context, name);
  Given arguments;
  arguments.add(name, {}, Given::kMade);
  arguments.add(value, {}, Given::kMade);
  arguments.add(Value::integer(overwrites ? 1 : 0), {}, Given::kMade);
  Exits exits = call_as(context, arguments, "setenv");
  if (!exits.empty()) context.state = std::move(exits.front().state);
}

// `network.classifier[6] = nn.Linear(...)`: of the layers there, only this one is known.
static void set_layer(CallContext& context, ObjectId part, int64_t number, const Value& layer) {
  const Name name = context.name(std::to_string(number));
  std::vector<Registered>& layers = context.state.edit(part).registered;
  const auto known = std::ranges::find(layers, name, &Registered::name);
  if (known != layers.end()) {
    known->value = layer;
    known->either.clear();
  } else {
    layers.push_back({name, RegisteredKind::kModule, layer, {}});
  }
}

void set_item(CallContext& context, const Value& object, const Value& given, const Value& value) {
  const Value index = object.is_tensor() ? given : as_key(context, given);
  std::optional<std::string> library = library_name(context, object);
  if (library == kEnvironment) return set_environment(context, index, value, true);
  if (object.is_tensor()) {
    Given arguments;
    arguments.add(object, {}, 0);
    arguments.add(index, {}, 1);
    arguments.add(value, {}, 2);
    Exits exits = call_as(context, arguments, "at::index_put_");
    if (!exits.empty()) context.state = std::move(exits.front().state);
    return;
  }
  if (set_item_of_attributes(context, object, index, value)) return;
  ObjectId id = context.state.object_id_of(object);
  if (id == kNoObject) return note_changed_batch(context, object);
  Object& holder = context.state.edit(id);
  if (holder.is_module()) {
    if (index.is(ValueKind::kString) && value.is_object())
      return set_attribute(context, object, context.activation.names().text(index.name), value);
    bool is_position = index.is(ValueKind::kInt) && value.is_object() && index.number >= 0 &&
                       index.number < static_cast<int64_t>(holder.registered.size());
    if (is_position && holder.complete) {
      Value& child = holder.registered[static_cast<size_t>(index.number)].value;
      const Value replaced = std::exchange(child, value);
      return note_replaced_child(context, replaced, value);
    }
    const bool is_layer = index.is(ValueKind::kInt) && value.is_object() && holder.complete;
    if (is_layer && is_network(context, id)) return set_layer(context, id, index.number, value);
    holder.complete = false;
    return;
  }
  if (is_from_outside(holder, context.activation.names())) {
    if (index.is(ValueKind::kString))
      return set_attribute(context, object, context.activation.names().text(index.name), value);
    Given given;
    given.add(object, {}, 0);
    forget(context, given);
    return;
  }
  if (holder.kind != ObjectKind::kContainer) return;
  note_name_as_key(context, id, index);
  if (index.has_identity()) context.state.edit(id).set(context.name(kKeyOfCache), index);
  if (set_each_key(context, id, index, value)) return;
  if (set_compound_key(context, holder, index, value)) return;
  bool is_position =
      index.is(ValueKind::kInt) && !holder.is_map && holder.keys.empty() && !holder.open;
  if (is_position) {
    if (const std::optional<size_t> at = position_in(holder, index)) holder.elements[*at] = value;
    return;
  }
  append(holder, value, index.is_scalar() ? index : Value::symbol(context.name("a key")));
}

// `item in whole` where neither decides it.
Value undecided_membership(CallContext& context, const Value& item, const Value& whole) {
  std::vector<Value> about = {item};
  const Object* list = context.state.object_of(whole);
  if (list && is_list(*list) && !list->open) {
    const std::vector<Value>& candidates = list->is_map ? list->keys : list->elements;
    about.insert(about.end(), candidates.begin(), candidates.end());
  } else {
    about.push_back(whole);
  }
  std::optional<Value> answer = answer_of("in", about, context.activation.names());
  return answer ? *answer : context.activation.fresh_symbol(context.instruction, context.state);
}

// `type(x) in (list, tuple)`.
std::optional<bool> is_type_among(CallContext& context, const Value& type, const Value& whole) {
  const Object* list = context.state.object_of(whole);
  if (!list || !is_list(*list) || list->is_map || list->open) return std::nullopt;
  bool differs_from_all = !list->elements.empty();
  for (const Value& each : std::vector<Value>(list->elements)) {
    const std::optional<bool> are_same = are_same_types(context, type, context.state.read(each));
    if (are_same == true) return true;
    differs_from_all &= are_same.has_value();
  }
  return differs_from_all ? std::optional(false) : std::nullopt;
}

// Whether a device is certainly none of those that are the keys of a table.
bool is_other_device(CallContext& context, const Value& item, const Object& table) {
  if (!item.is(ValueKind::kDevice) || table.open || table.keys.empty()) return false;
  const Place place = resolve(context.state, item.place);
  return std::ranges::all_of(table.keys, [&](const Value& key) {
    const std::optional<std::string> text = context.text(key);
    return text && relate(place, parse_device(*text)) == Relation::kDifferent;
  });
}

Value contains(CallContext& context, const Value& item, const Value& given) {
  const Value whole = table_of_attributes(context, given).value_or(given);
  Value unknown = undecided_membership(context, item, whole);
  if (std::optional<bool> all = keys_are_in(context, item, whole)) return Value::boolean(*all);
  if (std::optional<Value> parts = tuple_of_key(context, whole))
    return contains(context, item, *parts);
  const Object* table = context.state.object_of(whole);
  const bool is_table = table && is_list(*table) && table->is_map;
  if (is_table && is_other_device(context, item, *table)) return Value::boolean(false);
  const Value key = is_table ? as_key(context, item) : item;
  if (is_table && is_compound_key(key)) {
    const std::optional<bool> is_in = has_compound_key(context, *table, key);
    return is_in ? Value::boolean(*is_in) : unknown;
  }
  if (!same(key, item)) return contains(context, key, whole);
  if (is_table) {
    if (const std::optional<bool> is_in = name_is_in(context, item, *table))
      return Value::boolean(*is_in);
  }
  if (std::optional<bool> is_one = is_type_among(context, item, whole))
    return Value::boolean(*is_one);
  std::optional<std::string> part = context.text(item), text = context.text(whole);
  if (part && text) return Value::boolean(text->find(*part) != std::string::npos);
  if (part && whole.is(ValueKind::kSymbol)) {
    const std::optional<bool> has_part =
        TextPattern(whole, context.activation.names()).contains(*part);
    if (has_part) return Value::boolean(*has_part);
  }
  const Object* object = context.state.object_of(whole);
  const bool is_literal = item.is(ValueKind::kString) || item.is(ValueKind::kInt);
  if (!object || !is_list(*object) || object->open || !is_literal) return unknown;
  const std::vector<Value>& candidates = object->is_map ? object->keys : object->elements;
  if (std::ranges::any_of(candidates, [&](const Value& each) { return same(each, item); }))
    return object->may_lack_keys ? unknown : Value::boolean(true);
  const bool are_literals =
      std::ranges::all_of(candidates, [&](const Value& each) { return each.kind == item.kind; });
  return are_literals ? Value::boolean(false) : unknown;
}

// Identity, which is asked of None and of what decides nothing.
Value is_same(CallContext& context, const Value& a, const Value& b) {
  if (a.is(ValueKind::kNone) && b.is(ValueKind::kNone)) return Value::boolean(true);
  const Value& other = a.is(ValueKind::kNone) ? b : a;
  bool asks_none = a.is(ValueKind::kNone) || b.is(ValueKind::kNone);
  const Object* object = context.state.object_of(other);
  bool is_there = other.is_tensor() || other.is(ValueKind::kDevice) ||
                  other.is(ValueKind::kString) || other.is(ValueKind::kInt) ||
                  other.is(ValueKind::kBool) || (object && !object->may_be_null) ||
                  is_some_float(other, context.activation.names());
  if (asks_none && is_there) return Value::boolean(false);
  if (asks_none && other.has_identity()) {
    Name asked = context.activation.names().term(kIsNone, {other.name});
    return Value::symbol(asked);
  }
  const Value& bare = a.is(ValueKind::kBool) ? b : a;
  const Value& literal = a.is(ValueKind::kBool) ? a : b;
  if (literal.is(ValueKind::kBool) && bare.has_identity()) {
    std::string_view which = literal.number != 0 ? kIsTrue : kIsFalse;
    return Value::symbol(context.activation.names().term(which, {bare.name}));
  }
  if (std::optional<bool> are_same = are_same_types(context, a, b))
    return Value::boolean(*are_same);
  bool are_bools = a.is(ValueKind::kBool) && b.is(ValueKind::kBool);
  if (are_bools) return Value::boolean(a.number == b.number);
  // Members of enumerations are taken for their values, and texts are interned.
  const bool has_text = a.is(ValueKind::kString) || b.is(ValueKind::kString);
  if (has_text) {
    const std::optional<Value> is_equal =
        evaluate("op.eq", a, b, context.activation.names(), context.activation.assumed_devices());
    if (is_equal) return *is_equal;
  }
  return context.activation.fresh_symbol(context.instruction, context.state);
}

Exits text_of(CallContext& context, const Value& value) {
  note_host_wait(context, value, ir::Range(), "str");
  if (value.is(ValueKind::kString)) return one(context, Value::string(value.name));
  Given arguments;
  arguments.add(value, {}, 0);
  if (value.is(ValueKind::kDevice))
    return call_as(context, arguments, "c10::Device::str", ir::CallKind::kMethod);
  if (value.is(ValueKind::kInt) || value.is(ValueKind::kSymbol))
    return call_as(context, arguments, "std::to_string");
  return one(context, context.activation.fresh_symbol(context.instruction, context.state));
}

// `a += b`: tensors, lists and containers of modules change in place.
Exits update(CallContext& context, const Value& before, const Value& other,
             const std::string& operation) {
  Given arguments;
  arguments.add(before, {}, 0);
  arguments.add(other, {}, 1);
  static constexpr std::pair<std::string_view, std::string_view> kInPlace[] = {
      {"op.add", "at::add_"},
      {"op.sub", "at::sub_"},
      {"op.mul", "at::mul_"},
      {"op.div", "at::div_"},
      {"op.pow", "at::pow_"},
      {"op.mod", "at::remainder_"},
      {"op.floordiv", "at::floor_divide_"},
      {"op.and", "at::bitwise_and_"},
      {"op.or", "at::bitwise_or_"},
      {"op.xor", "at::bitwise_xor_"}};
  if (before.is_tensor()) {
    for (const auto& [each, in_place] : kInPlace) {
      if (each == operation) return call_as(context, arguments, std::string(in_place));
    }
  }
  ObjectId id = context.state.object_id_of(before);
  if (id != kNoObject && context.state.object(id).kind == ObjectKind::kContainer) {
    return one(context, updated_list(context, before, other, operation));
  }
  if (operation == "op.add" && id != kNoObject && context.state.object(id).is_module()) {
    Exits exits = module_method(context, "extend", arguments);
    for (Exit& exit : exits) exit.value = before;
    return exits;
  }
  return call_as(context, arguments, operation);
}

Value make_dict(CallContext& context) {
  Object table;
  table.kind = ObjectKind::kContainer;
  table.is_map = true;
  const auto& written = context.call().arguments;
  for (size_t i = 0; i < context.count(); ++i) {
    if (written[i].name == "**") {
      const Value given = context.read(i);
      const Object* more =
          context.state.object_of(table_of_attributes(context, given).value_or(given));
      bool is_whole = more && more->kind == ObjectKind::kContainer && !more->open &&
                      more->keys.size() == more->elements.size();
      if (is_whole) {
        for (size_t k = 0; k < more->keys.size(); ++k)
          append(table, more->elements[k], more->keys[k]);
      } else {
        open_container(table);
        table.rest = Value::unknown();
      }
      continue;
    }
    if (i + 1 >= context.count()) break;
    const Value key = as_key(context, context.read(i));
    if (!set_compound_key(context, table, key, context.read(i + 1)))
      append(table, context.read(i + 1),
             key.is_scalar() ? key : Value::symbol(context.name("a key")));
    ++i;
  }
  return context.make(std::move(table));
}

// The table is marked: where the name that is looked up is not known, only the default of an option
// is chosen, since not all of the members are what the program looks up by name.
Value make_module_members(CallContext& context) {
  Object members;
  members.kind = ObjectKind::kContainer;
  members.is_map = true;
  members.type_name = context.name(kMembers);
  for (size_t i = 0; i + 1 < context.count(); i += 2) {
    members.keys.push_back(context.read(i));
    members.elements.push_back(context.read(i + 1));
  }
  return context.make(std::move(members));
}

// `models.__dict__[args.arch]` where it is not known which member that is: programs name their
// functions that make networks by lower-case words, and the first stands for all.
std::optional<Value> some_function_of(CallContext& context, const Object& members) {
  const Names& names = context.activation.names();
  for (size_t i = 0; i < members.keys.size(); ++i) {
    const Object* function = context.state.object_of(members.elements[i]);
    const bool is_lower_case = members.keys[i].is(ValueKind::kString) &&
                               std::ranges::none_of(names.text(members.keys[i].name), ::isupper) &&
                               !names.text(members.keys[i].name).starts_with("_");
    if (is_lower_case && function && function->kind == ObjectKind::kClosure)
      return members.elements[i];
  }
  return std::nullopt;
}

// `math.pi`, `np.inf`.
bool is_float_constant(std::string_view name) {
  static constexpr std::string_view kPackages[] = {"math", "numpy", "torch"};
  static constexpr std::string_view kConstants[] = {"e", "inf", "nan", "pi", "tau"};
  const size_t dot = name.find('.');
  return dot != std::string_view::npos &&
         std::ranges::find(kPackages, name.substr(0, dot)) != std::end(kPackages) &&
         std::ranges::find(kConstants, name.substr(dot + 1)) != std::end(kConstants);
}

// An element that is no plain number or text: which of several it is decides what runs.
bool decides_what_runs(const State& state, const Value& element) {
  const Value held = state.read(element);
  return held.is_object() || held.is_tensor() || held.is(ValueKind::kDevice);
}

// `table[key]` where it is not known which of the table's keys that is, and its items have nothing
// in common: it is one of them. Of many the first stands for all, since each is that of some run.
std::optional<Exits> item_of_some_key(CallContext& context, const Object& table, const Value& key) {
  constexpr size_t kMostWays = 3;
  if (!key.is(ValueKind::kSymbol) && !key.is_opaque()) return std::nullopt;
  if (table.type_name == context.name(kMembers)) {
    const std::optional<Value> function = some_function_of(context, table);
    return function ? std::optional(one(context, *function)) : std::nullopt;
  }
  // The elements that a loop visits are all of them.
  if (is_fresh(key.name, context.activation.names())) return std::nullopt;
  const bool is_followed = std::ranges::any_of(
      table.elements, [&](const Value& each) { return decides_what_runs(context.state, each); });
  if (table.open || table.keys.size() != table.elements.size() || !is_followed) return std::nullopt;
  Names& names = context.activation.names();
  Exits exits;
  for (size_t i = 0; i < table.keys.size(); ++i) {
    if (!table.keys[i].is(ValueKind::kString)) return std::nullopt;
    State state = context.state;
    const std::optional<bool> was_known = assume_equal(state, key.name, table.keys[i], names);
    if (!was_known) continue;
    const Value item = state.read(table.elements[i]);
    if (*was_known) return Exits{{std::move(state), item}};
    exits.push_back({std::move(state), item});
  }
  if (exits.empty()) return std::nullopt;
  if (exits.size() > kMostWays) exits.resize(1);
  return exits;
}

}  // namespace

Value make_list(CallContext& context, std::vector<Value> elements, ObjectKind kind,
                uint32_t ordinal) {
  Object list;
  list.kind = kind;
  list.elements = std::move(elements);
  return context.make(std::move(list), ordinal);
}

Value library_value(CallContext& context, const std::string& name, uint32_t ordinal) {
  if (is_float_constant(name)) return Value::symbol(context.name(kSomeFloat));
  return context.make(context.library_object(std::string(kLibrary) + name), 980 + ordinal);
}

Value library_member(CallContext& context, const std::string& library, const Value& name) {
  return library_value(context, library + "." + context.text(name).value_or("<one of them>"));
}

std::optional<std::string> library_name(CallContext& context, const Value& value) {
  const Object* object = context.state.object_of(value);
  if (!object || object->kind != ObjectKind::kLibrary) return std::nullopt;
  const std::string& name = context.activation.names().text(object->type_name);
  if (!name.starts_with(kLibrary)) return std::nullopt;
  return name.substr(kLibrary.size());
}

Value class_value(CallContext& context, const std::string& key) {
  return context.make(context.library_object(std::string(kClass) + key), 981);
}

const ir::Class* class_of(CallContext& context, const Value& value) {
  const Object* object = context.state.object_of(value);
  if (!object || object->kind != ObjectKind::kLibrary) return nullptr;
  const std::string& name = context.activation.names().text(object->type_name);
  if (!name.starts_with(kClass)) return nullptr;
  return context.activation.program().find_class(name.substr(kClass.size()),
                                                 context.activation.unit());
}

// One of the children of a module, where they are of one class and in one place: what is asked of
// one of them has the same answer for each.
static std::optional<Value> some_child(CallContext& context, const Object& modules) {
  std::optional<Value> first;
  Place place;
  for (const Registered& each : modules.registered) {
    const Object* child = context.state.object_of(each.value);
    if (!child || !child->is_module()) return std::nullopt;
    const Place own = parameter_of(context.activation, context.state, each.value.object).place;
    if (!first) {
      first = each.value;
      place = own;
      continue;
    }
    const Object* other = context.state.object_of(*first);
    if (child->type != other->type || child->type_name != other->type_name || !(own == place))
      return std::nullopt;
  }
  if (first) first->one_of = true;
  return first;
}

// A slice keeps the dimension that it is taken of; how many elements it has may not be known.
Rank rank_of_slice(CallContext& context, Rank whole, const Object& slice) {
  if (whole != Rank::kBatch) return whole;
  const Value* from = slice.find(context.name("from"));
  const Value* to = slice.find(context.name("to"));
  const bool is_from_start = !from || from->is(ValueKind::kNone);
  if (!to || to->is(ValueKind::kNone)) return is_from_start ? whole : Rank::kNonScalar;
  const std::optional<Value> length =
      evaluate("op.sub", *to, is_from_start ? Value::integer(0) : *from, context.activation.names(),
               context.activation.assumed_devices());
  const bool is_long = length && length->is(ValueKind::kInt) && length->number > 1;
  return is_long ? whole : Rank::kNonScalar;
}

// A checkpoint is asked for an entry that it was not given when it was written.
static void note_missing_entry(CallContext& context, const Object& table, const Value& key) {
  const Value* written = table.find(context.name(kSavedAt));
  const std::string& text = context.activation.names().text(key.name);
  // The first part of the names of a wrapped module, and no key of the program's own.
  const bool is_wrapper = text == "module" && has_text_keys(table);
  const bool is_device = names_device(text) && has_device_keys(table, context.activation.names());
  const bool is_known = (written || is_wrapper || is_device) && has_key(table, key) == false;
  if (!is_known || given_arguments(context).is_tried) return;
  MissingKeyEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.key = text;
  for (const Value& each : table.keys)
    event.there.push_back(context.activation.names().text(each.name));
  // A name that differs by the prefix of a wrapper only is another rule's.
  const auto is_wrapped = [](const std::string& name) { return name.starts_with("module."); };
  const bool are_names = std::ranges::any_of(event.there, is_wrapped) || is_wrapped(event.key);
  if (are_names) return;
  event.saved_at = written ? written->origin : 0;
  event.reader = written     ? KeyReader::kCheckpoint
                 : is_device ? KeyReader::kDevice
                             : KeyReader::kWrapped;
  context.activation.notify(event, context.state);
}

// The modules that a slice takes. A slice of a Sequential is unknown: the program may call it.
static Value slice_of_modules(CallContext& context, const Object& modules, const Value& index) {
  Object list;
  list.kind = ObjectKind::kContainer;
  list.open = modules.find(context.name(kMayLackChildren)) || !modules.complete;
  list.rest = list.open ? Value::unknown() : Value::none();
  for (const Registered& each : modules.registered) {
    list.elements.push_back(each.value);
    list.elements.insert(list.elements.end(), each.either.begin(), each.either.end());
    list.open |= !each.either.empty();
  }
  const Value part = slice_of_list(context, list, *context.state.object_of(index));
  const bool is_list =
      context.activation.names().text(modules.type_name).ends_with("ModuleListImpl");
  return is_list ? part : Value::unknown();
}

Exits get_item(CallContext& context, const Value& object, const Value& index) {
  if (object.is_tensor()) {
    const Value by = context.state.decider_of(index);
    const bool is_gathered = by.is_tensor() && is_non_scalar(by.rank);
    Value whole = object;
    // What several elements are taken of has a dimension.
    if (is_gathered && whole.rank == Rank::kUnknown) whole.rank = at_least(1);
    Given arguments;
    arguments.add(whole, {}, 0);
    arguments.add(index, {}, 1);
    std::optional<Rank> of_slice;
    if (is_slice(context, index))
      of_slice = rank_of_slice(context, object.rank, *context.state.object_of(index));
    const Object* parts = context.state.object_of(index);
    // A slice keeps a dimension, and None makes one.
    const auto has_dimension = [&](const Value& each) {
      return each.is(ValueKind::kNone) || is_slice(context, each);
    };
    int kept = index.is(ValueKind::kNone) ? 1 : 0;
    if (parts && parts->kind == ObjectKind::kTuple)
      kept = static_cast<int>(std::ranges::count_if(parts->elements, has_dimension));
    Exits exits = call_as(context, arguments, "at::Tensor::operator[]", ir::CallKind::kMethod);
    for (Exit& exit : exits) {
      if (of_slice) exit.value.rank = *of_slice;
      if (is_gathered && by.rank == Rank::kBatch) exit.value.rank = by.rank;
      if (is_gathered && !is_non_scalar(exit.value.rank)) exit.value.rank = at_least(1);
      if (kept > 0) exit.value.rank = at_least(kept);
    }
    return exits;
  }
  bool is_size =
      object.is(ValueKind::kSymbol) && is_about_cache(object.name, context.activation.names());
  if (is_size) return one(context, object);
  if (object.is_scalar() && (object.is(ValueKind::kString) || object.is(ValueKind::kSymbol))) {
    if (is_slice(context, index))
      return slice_of_text(context, object, Object(*context.state.object_of(index)));
    return one(context, context.activation.fresh_symbol(context.instruction, context.state));
  }
  if (std::optional<Exits> item = item_of_attributes(context, object, index))
    return std::move(*item);
  ObjectId id = context.state.object_id_of(object);
  if (id == kNoObject) return one(context, Value::unknown_part(object));
  const Object& holder = context.state.object(id);
  if (std::optional<std::string> library = library_name(context, object)) {
    // `models.__dict__[name]`: one of the functions or classes there.
    if (library == kEnvironment) return one(context, variable_of_environment(context, index));
    constexpr std::string_view kTable = ".__dict__";
    if (!library->ends_with(kTable)) return one(context, Value::unknown());
    library->resize(library->size() - kTable.size());
    return one(context, library_member(context, *library, index));
  }
  if (const Object* cut = context.state.object_of(index);
      cut && context.activation.names().text(cut->type_name) == kSlice) {
    const Value* from = cut->find(context.name("from"));
    const Value* to = cut->find(context.name("to"));
    bool to_end = from && from->is(ValueKind::kInt) && from->number >= 0 && to &&
                  to->is(ValueKind::kNone) && !cut->find(context.name("step"));
    if (std::optional<Value> keys =
            to_end ? slice_of_keys(context, object, from->number) : std::nullopt)
      return one(context, *keys);
  }
  if (object.is(ValueKind::kParameters)) {
    if (!is_slice(context, index)) return one(context, parameter_at(context, object, index));
    const Object slice = *context.state.object_of(index);
    return one(context, slice_of_list(context, parameters_in(context, object), slice));
  }
  if (holder.is_module()) {
    if (holder.type) {
      FoundMethod found = find_method(context.activation, *holder.type, "__getitem__");
      Given rest;
      rest.add(index, {}, 1);
      if (found.function) return call_function(context, *found.function, {object}, rest);
    }
    if (index.is(ValueKind::kString)) {
      const Registered* child = holder.find_registered(index.name);
      return one(context, child ? child->value : Value::unknown());
    }
    if (is_network(context, id)) {
      const Name number =
          index.is(ValueKind::kInt) ? context.name(std::to_string(index.number)) : 0;
      const Registered* layer = number != 0 ? holder.find_registered(number) : nullptr;
      return one(context, layer ? layer->value : part_of_network(context, id));
    }
    Value at = index;
    if (at.is(ValueKind::kInt) && at.number < 0)
      at.number += static_cast<int64_t>(holder.registered.size());
    if (is_slice(context, index))
      return one(context, slice_of_modules(context, Object(holder), index));
    if (context.state.object_of(index)) return one(context, Value::unknown());
    const std::optional<Value> child =
        at.is(ValueKind::kInt) ? std::nullopt : some_child(context, Object(holder));
    if (child) return one(context, *child);
    Given arguments;
    arguments.add(object, {}, 0);
    arguments.add(at, {}, 1);
    return call_as(context, arguments, "torch::nn::ModuleHolder::operator[]",
                   ir::CallKind::kMethod);
  }
  if (!is_list(holder)) {
    if (std::optional<Value> item = dataset_item(context, Object(holder), index))
      return one(context, *item);
    if (std::optional<Value> state = state_of_parameter(context, holder))
      return one(context, *state);
    if (holder.type) {
      FoundMethod found = find_method(context.activation, *holder.type, "__getitem__");
      Given rest;
      rest.add(index, {}, 1);
      if (found.function) return call_function(context, *found.function, {object}, rest);
    }
    return one(context, Value::unknown());
  }
  const Object* slice = context.state.object_of(index);
  if (slice && context.activation.names().text(slice->type_name) == kSlice)
    return one(context, slice_of_list(context, holder, *slice));
  if (is_defaultdict(context, holder)) return one(context, item_of_defaultdict(context, id, index));
  bool is_table = holder.is_map || !holder.keys.empty();
  const Value key = is_table ? as_key(context, index) : index;
  if (is_table && is_compound_key(key))
    return one(context, item_of_compound_key(context, holder, key).value_or(Value::unknown()));
  if (!same(key, index)) return get_item(context, object, key);
  // A list has no keys.
  if (!is_table && index.is(ValueKind::kString)) return one(context, Value::unknown());
  if (holder.type_name == context.name(kMembers)) {
    if (const std::optional<Value> name = assume_default(context, index))
      return get_item(context, object, *name);
  }
  if (is_table && index.is(ValueKind::kString) && !holder.open) {
    for (size_t i = 0; i < holder.keys.size(); ++i) {
      if (same(holder.keys[i], index)) return one(context, context.state.read(holder.elements[i]));
    }
    // An option's default that names no member: whoever runs the program gives another value.
    if (holder.type_name == context.name(kMembers))
      return one(context, some_function_of(context, holder).value_or(Value::unknown()));
    note_missing_entry(context, holder, index);
    return one(context, Value::unknown());
  }
  // Of a list without a known end, it is not known which element that is.
  const bool is_from_end =
      holder.open && !is_table && index.is(ValueKind::kInt) && index.number < 0;
  const Value at = is_from_end ? unknown_scalar(context) : normalized_index(holder, index);
  const Value item =
      context.state.read(element_address(context.state, object, at, context.activation.names()));
  if (is_table && item.is(ValueKind::kUnknown)) {
    if (std::optional<Exits> items = item_of_some_key(context, Object(holder), index))
      return std::move(*items);
  }
  return one(context, item);
}

namespace {

class DeepCopy {
 public:
  DeepCopy(CallContext& context, uint32_t first) : context_(context), first_(first) {}

  Value copy(const Value& value, int depth) {
    constexpr int kDeepest = 64;
    Value made = value;
    if (depth > kDeepest) return Value::unknown();
    if (value.place.kind == PlaceKind::kCell) made.place.symbol = object(value.place.symbol, depth);
    if (value.is_object() || value.is(ValueKind::kParameters))
      made.object = object(value.object, depth);
    return made;
  }

 private:
  ObjectId object(ObjectId id, int depth) {
    if (!context_.state.has(id)) return id;
    ObjectKind kind = context_.state.object(id).kind;
    if (kind == ObjectKind::kLibrary || kind == ObjectKind::kClosure || kind == ObjectKind::kBox)
      return id;
    auto [known, is_new] = copies_.try_emplace(id, kNoObject);
    if (!is_new) return known->second;
    ObjectId made = context_.allocate(first_ + static_cast<uint32_t>(copies_.size()));
    copies_[id] = made;
    Object whole = context_.state.object(id);
    if (whole.is_module()) forget_training(whole, context_.activation.names());
    for_each_value(whole, [&](Value& each) { each = copy(each, depth + 1); });
    context_.state.put(made, std::move(whole));
    return made;
  }

  CallContext& context_;
  const uint32_t first_;
  std::map<ObjectId, ObjectId> copies_;
};

}  // namespace

Value deep_copy(CallContext& context, const Value& value, uint32_t first) {
  return DeepCopy(context, first).copy(context.state.read(value), 0);
}

Value part_of(CallContext& context, const Value& whole, size_t index, size_t count) {
  if (whole.is_tensor()) {
    Value slice = context.state.decider_of(whole);
    slice.rank = Rank::kUnknown;
    return slice;
  }
  if (is_joined(context, whole))
    return part_of(context, context.make(items_in(context, whole), 921), index, count);
  const Object* object = context.state.object_of(whole);
  if (!object || !is_list(*object)) return Value::unknown_part(whole);
  if (is_unordered(*object, context.activation.names())) return some_item(context, *object);
  if (object->open) return context.state.read(object->rest);
  if (object->elements.size() == count) return context.state.read(object->elements[index]);
  if (object->elements.empty()) return Value::unknown();
  // A list that a loop filled: there are as many as the program takes, and alike.
  Value each = context.state.read(object->elements[0]);
  for (const Value& element : object->elements) each = join(each, context.state.read(element), 0);
  return each;
}

std::optional<Exits> object_call(CallContext& context) {
  const std::string& name = context.call().name;
  if (!name.starts_with("object.")) return std::nullopt;
  std::string_view what = std::string_view(name).substr(7);
  auto text = [&](size_t i) { return context.text(context.read(i)).value_or(""); };
  Value a = context.read(0), b = context.read(1), c = context.read(2);
  if (what == "get") return get_attribute(context, a, text(1));
  if (what == "set") {
    note_changed_batch(context, a);
    set_attribute(context, a, text(1), c);
    return one(context, Value::none());
  }
  if (what == "item") return get_item(context, a, b);
  if (what == "set_item") {
    set_item(context, a, b, c);
    return one(context, Value::none());
  }
  if (what == "delete_item") {
    ObjectId id = context.state.object_id_of(a);
    if (id != kNoObject && context.state.object(id).kind == ObjectKind::kContainer)
      open_container(context.state.edit(id));
    return one(context, Value::none());
  }
  if (what == "value") return one(context, a);
  if (what == "start") {
    begin_without_group(context);
    return one(context, Value::none());
  }
  if (what == "raised") {
    Value raised = context.activation.fresh_symbol(context.instruction, context.state);
    // Whoever takes one element after the other comes to the end: there is nothing to doubt.
    if (text(0) == "StopIteration") return one(context, raised);
    return one(context, Value::symbol(context.activation.names().term(kRaised, {raised.name})));
  }
  if (what == "part")
    return one(context, part_of(context, tuple_of_key(context, a).value_or(a),
                                static_cast<size_t>(b.number), static_cast<size_t>(c.number)));
  if (what == "list" || what == "tuple" || what == "collection")
    return one(context, written_sequence(context, what));
  if (what == "dict") return one(context, make_dict(context));
  if (what == "namespace") return one(context, make_module_members(context));
  if (what == "module") return one(context, make_module(context));
  if (what == "yield") note_devices_at_yield(context, a);
  if (what == "add" || what == "yield" || what == "extend") {
    ObjectId id = context.state.object_id_of(a);
    if (id == kNoObject || context.state.object(id).kind != ObjectKind::kContainer)
      return one(context, Value::none());
    if (what != "extend") {
      append(context.state.edit(id), b);
    } else {
      updated_list(context, a, b, "op.add");
    }
    return one(context, Value::none());
  }
  if (what == "slice") {
    Object slice = context.library_object(kSlice);
    slice.set(context.name("from"), a);
    slice.set(context.name("to"), b);
    if (context.count() > 2) slice.set(context.name("step"), c);
    return one(context, context.make(std::move(slice)));
  }
  if (what == "is") return one(context, is_same(context, a, b));
  if (what == "in") return one(context, contains(context, a, b));
  if (what == "text") return text_of(context, a);
  if (what == "enter") return enter_block(context, a);
  if (what == "context") return one(context, make_context_manager(context, a, b));
  if (what == "update") return update(context, a, b, text(2));
  if (what == "default") {
    if (const ObjectId closure = context.state.object_id_of(a); closure != kNoObject)
      context.state.edit(closure).set(context.name(default_field(text(1))), c);
    return one(context, a);
  }
  if (what == "class") return one(context, class_value(context, text(0)));
  if (what == "library") return one(context, library_value(context, text(0)));
  return one(context, Value::unknown());
}

Value variable_of_environment(CallContext& context, const Value& name) {
  const std::optional<std::string> text = context.text(name);
  if (!text) return unknown_scalar(context);
  return Value::symbol(context.name(std::string(kVariable) + *text));
}

void forget_variable(CallContext& context, const Value& name) {
  if (const std::optional<std::string> text = context.text(name))
    context.activation.renew(context.name(std::string(kVariable) + *text), context.state);
}

}  // namespace placecheck::dataflow
