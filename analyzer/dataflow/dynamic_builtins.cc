// Functions of the language, and methods of its lists and tables.
#include <algorithm>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/havoc.h"
#include "analyzer/dataflow/host_traffic.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

Value copy_of_list(CallContext& context, const Value& value, ObjectKind kind) {
  const Object* object = context.state.object_of(value);
  if (object && is_items(context, *object)) return value;
  if (!object || !is_list(*object)) {
    if (value.is(ValueKind::kParameters)) return value;
    if (object && object->is_module()) {
      std::vector<Value> children;
      children.reserve(object->registered.size());
      for (const Registered& each : object->registered) children.push_back(each.value);
      if (object->complete) return make_list(context, std::move(children), kind);
    }
    return context.make(items_in(context, value));
  }
  Object copy = *object;
  if (copy.is_map) {
    copy.elements = copy.keys;
    copy.keys.clear();
    copy.is_map = false;
  }
  if (!copy.open) copy.kind = kind;
  copy.is_known_list = false;
  return context.make(std::move(copy));
}

// dict(...): from keywords, another table, or pairs.
Value make_table(CallContext& context, const Given& given) {
  Object table;
  table.kind = ObjectKind::kContainer;
  table.is_map = true;
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given.names[i].empty()) {
      append(table, given.values[i], Value::string(context.name(given.names[i])));
      continue;
    }
    const Value source = table_of_attributes(context, given.values[i]).value_or(given.values[i]);
    const Object* other = context.state.object_of(source);
    if (other && other->kind == ObjectKind::kContainer && other->is_map) {
      table.keys = other->keys;
      table.elements = other->elements;
      table.open = other->open;
      table.rest = other->rest;
      continue;
    }
    bool has_pairs = other && is_list(*other) && !other->open;
    for (size_t k = 0; has_pairs && k < other->elements.size(); ++k) {
      const Object* pair = context.state.object_of(other->elements[k]);
      if (!pair || pair->elements.size() != 2) continue;
      append(table, context.state.read(pair->elements[1]), context.state.read(pair->elements[0]));
    }
    if (!has_pairs) {
      open_container(table);
      table.rest = Value::unknown();
    }
  }
  if (given.is_open) {
    open_container(table);
    table.rest = Value::unknown();
  }
  return context.make(std::move(table));
}

// A replica of DataParallel has its parameters as plain attributes: parameters() yields none.
bool is_without_parameters(CallContext& context, const Value& range) {
  const Value* replica = context.state.find_global(context.name(kReplicaRuns));
  if (!replica || !range.is(ValueKind::kParameters)) return false;
  return parameter_of(context.activation, context.state, range.object).place == replica->place;
}

// `next(model.parameters())`: an iterator that was made before may have gone on.
std::optional<Value> new_first_parameter(CallContext& context, const Given& given) {
  const bool is_of_parameters = given.size() == 1 && given.values[0].is(ValueKind::kParameters) &&
                                given.sources[0] < context.call().arguments.size();
  const ir::Instruction* made =
      is_of_parameters
          ? context.activation.find_definition(context.call().arguments[given.sources[0]].value)
          : nullptr;
  const bool is_new =
      made && made->opcode == ir::Opcode::kCall && last_part(made->call.name) == "parameters";
  return is_new ? first_parameter(context, given.values[0]) : std::nullopt;
}

// `sorted(list, key=f)`: what the function does to find the key of an element is done.
void call_key(CallContext& context, const Given& given, const Object& list) {
  const std::optional<size_t> key = given.named("key");
  if (!key || list.has_no_elements()) return;
  Given element;
  element.add(some_item(context, list), {}, Given::kMade);
  State before = context.state;
  Exits exits = call_value(context, given.values[*key], element);
  context.state = exits.size() == 1 ? std::move(exits.front().state) : std::move(before);
}

// What each element of a list is as a condition, if they are alike.
std::optional<bool> common_truth(CallContext& context, const Value& list) {
  const Object* object = context.state.object_of(list);
  if (!object || !is_list(*object) || object->is_map || object->has_no_elements())
    return std::nullopt;
  std::vector<Value> elements = object->elements;
  if (object->open) elements.push_back(object->rest);
  const Value first = context.state.read(elements[0]);
  const bool are_alike = std::ranges::all_of(elements, [&](const Value& each) {
    const Value element = context.state.read(each);
    return element.is(ValueKind::kBool) && element.number == first.number;
  });
  return are_alike ? std::optional(first.number != 0) : std::nullopt;
}

// The length of a list that is known to have elements, but not how many.
std::optional<Value> positive_length(CallContext& context, const Value& list) {
  const ObjectId id = context.state.object_id_of(list);
  if (id == kNoObject || !is_list(context.state.object(id))) return std::nullopt;
  const Object& object = context.state.object(id);
  const Value rest = context.state.read(object.rest);
  const bool is_known = rest.is_tensor() || rest.is_object() || rest.is(ValueKind::kInt) ||
                        rest.is(ValueKind::kString) || rest.is(ValueKind::kDevice);
  if (object.elements.empty() && !is_known) return std::nullopt;
  Names& names = context.activation.names();
  return Value::symbol(names.term(kPositive, {names.intern("size of #" + std::to_string(id))}));
}

// `table.update(key=value)`.
bool has_names_only(const Given& given) {
  return given.size() > 1 && !given.is_open && given.positional().size() == 1;
}

}  // namespace

std::optional<Exits> builtin_function(CallContext& context, std::string_view name,
                                      const Given& given) {
  Value first = given.size() ? given.values[0] : Value::none();
  constexpr std::string_view kReading[] = {"bool", "float", "int", "print", "repr", "str"};
  if (std::ranges::find(kReading, name) != std::end(kReading)) {
    for (size_t i = 0; i < given.size(); ++i)
      note_host_wait(context, context.state.read(given.values[i]), context.range(given.sources[i]),
                     name);
  }
  if (name == "len") {
    if (first.is_tensor() && first.number == Value::kWithoutElements)
      return one(context, Value::integer(0));
    if (std::optional<int64_t> length = known_length(context, first))
      return one(context, Value::integer(*length));
    if (std::optional<Value> length = positive_length(context, first)) return one(context, *length);
    const ObjectId id = context.state.object_id_of(first);
    const bool is_open =
        id != kNoObject && is_list(context.state.object(id)) && context.state.object(id).open;
    return one(context, is_open ? unknown_length(context, id) : unknown_scalar(context));
  }
  if (name == "range") return make_range(context, given);
  if (name == "enumerate") {
    const std::optional<size_t> start = given.find("start", 1);
    return one(context, enumerated(context, first, start ? &given.values[*start] : nullptr));
  }
  if (name == "zip") return one(context, zipped(context, given));
  if (name == "list" || name == "sorted" || name == "reversed" || name == "set") {
    const Value copy = given.size() == 0 ? make_list(context, {}, ObjectKind::kContainer)
                                         : copy_of_list(context, first, ObjectKind::kContainer);
    const ObjectId id = context.state.object_id_of(copy);
    if (id == kNoObject || context.state.object(id).kind != ObjectKind::kContainer)
      return one(context, copy);
    Object& list = context.state.edit(id);
    if (is_range_over_devices(context, list)) {
      list.open = false;
      list.rest = Value::none();
    }
    list.is_known_list = name == "list" || name == "sorted";
    if (name == "sorted") {
      call_key(context, given, Object(list));
      sort_list(context, given, context.state.edit(id));
    } else if (name == "reversed") {
      reverse_list(context, context.state.edit(id));
    }
    return one(context, copy);
  }
  if (name == "tuple") return one(context, copy_of_list(context, first, ObjectKind::kTuple));
  if (name == "dict") return one(context, make_table(context, given));
  if (name == "iter") return begin_iteration(context, first);
  if (name == "next") {
    if (is_without_parameters(context, first) && !given.is_tried) {
      context.activation.notify(
          ReplicaParametersEvent{context.activation.site(context.instruction.range)},
          context.state);
      return Exits();
    }
    if (const std::optional<Value> parameter = new_first_parameter(context, given))
      return one(context, *parameter);
    Given range;
    range.add(first, {}, given.size() ? given.sources[0] : Given::kMade);
    range.add(Value::unknown(), {}, Given::kMade);
    const State before = context.state;
    Exits exits = call_as(context, range, "loop.element");
    // The iterator may have come to its end.
    if (given.size() > 1) exits.push_back({before, given.values[1]});
    return exits;
  }
  if (name == "str" || name == "repr") {
    if (first.is(ValueKind::kString)) return one(context, first);
    Given self;
    self.add(first, {}, Given::kMade);
    if (first.is(ValueKind::kDevice))
      return call_as(context, self, "c10::Device::str", ir::CallKind::kMethod);
    if (first.is(ValueKind::kInt) || first.is(ValueKind::kSymbol))
      return call_as(context, self, "std::to_string");
    return one(context, unknown_scalar(context));
  }
  if (name == "int" || name == "bool" || name == "float") {
    bool keeps =
        first.is(ValueKind::kInt) || first.is(ValueKind::kBool) || first.is(ValueKind::kSymbol);
    if (std::optional<std::string> text = context.text(first); text && name == "int") {
      bool is_number = !text->empty() && text->size() < 9 &&
                       text->find_first_not_of("0123456789") == std::string::npos;
      if (is_number) return one(context, Value::integer(std::stoll(*text)));
    }
    if (name == "int" && first.is(ValueKind::kSymbol) &&
        is_of_process(context.activation.names().text(first.name)) &&
        context.activation.names().text(first.name) != kRankOfProcess)
      return one(context, Value::symbol(context.activation.names().term(kInteger, {first.name})));
    if (name == "bool" && first.is_opaque()) return one(context, Value::symbol(first.name));
    return one(context, keeps && name != "float" ? first : unknown_scalar(context));
  }
  if (name == "isinstance") return one(context, is_instance(context, given));
  if (name == "hasattr") return one(context, has_attribute(context, given));
  if (name == "getattr") {
    std::optional<std::string> attribute =
        given.size() > 1 ? context.text(given.values[1]) : std::nullopt;
    if (std::optional<std::string> library = library_name(context, first);
        library && given.size() == 2)
      return one(context, library_member(context, *library, given.values[1]));
    // With a default, it need not be there.
    const bool has_default = given.size() > 2 && !first.is_opaque();
    if (attribute && has_default) return attribute_or(context, first, *attribute, given.values[2]);
    if (!attribute) return one(context, Value::unknown());
    return get_attribute(context, first, *attribute);
  }
  if (name == "vars" && given.size() == 1)
    return one(context, attributes_of(context, first).value_or(Value::unknown()));
  if (name == "setattr" && given.size() == 3) {
    if (std::optional<std::string> attribute = context.text(given.values[1])) {
      set_attribute(context, first, *attribute, given.values[2]);
      return one(context, Value::none());
    }
  }
  if (name == "setattr" || name == "delattr") return one(context, forget(context, given));
  if (name == "exec" || name == "eval") return one(context, forget(context, given));
  if (name == "all" || name == "any") {
    const std::optional<bool> answer = common_truth(context, first);
    return one(context, answer ? Value::boolean(*answer) : unknown_scalar(context));
  }
  if (name == "abs" && first.is(ValueKind::kInt))
    return one(context, Value::integer(first.number < 0 ? -first.number : first.number));
  if (name == "abs" || name == "round" || name == "pow")
    return one(context, first.is_tensor() ? first : unknown_scalar(context));
  if (name == "exit" || name == "quit") return Exits();
  if (name == "print") return one(context, Value::none());
  if (name == "type" && given.size() == 1) return one(context, type_of(context, first));
  if (name == "map" || name == "filter" || name == "super" || name == "type" || name == "vars" ||
      name == "object" || name == "open" || name == "frozenset" || name == "slice")
    return one(context, Value::unknown());
  return one(context, unknown_scalar(context));
}

namespace {

// Any of a table's elements, which may be changed by whoever has it now.
Value give_up_element(CallContext& context, ObjectId table) {
  Havoc havoc(context.state, context.activation.names(),
              context.name("taken<" + context.activation.number_of(context.instruction) + ">"));
  havoc.objects_among(std::vector<Value>(context.state.object(table).elements));
  open_container(context.state.edit(table));
  return Value::unknown();
}

// `table.popitem(last=False)`: the key and the value of the entry at one end.
Value pop_item(CallContext& context, ObjectId id, const Given& given) {
  const Object& table = context.state.object(id);
  const std::optional<size_t> last = given.find("last", 1);
  const std::optional<bool> is_last =
      last ? truth(context.state.read(given.values[*last])) : std::optional(true);
  const bool is_known = is_last && !table.open && !table.may_lack_keys && !table.keys.empty() &&
                        table.keys.size() == table.elements.size();
  Object entry;
  entry.kind = ObjectKind::kTuple;
  if (!is_known) {
    const Value element = give_up_element(context, id);
    entry.elements = {Value::unknown(), element};
    return context.make(std::move(entry), 959);
  }
  Object& edited = context.state.edit(id);
  const size_t at = *is_last ? edited.keys.size() - 1 : 0;
  entry.elements = {edited.keys[at], edited.elements[at]};
  edited.keys.erase(edited.keys.begin() + static_cast<ptrdiff_t>(at));
  edited.elements.erase(edited.elements.begin() + static_cast<ptrdiff_t>(at));
  return context.make(std::move(entry), 959);
}

}  // namespace

std::optional<Exits> container_method(CallContext& context, std::string_view name,
                                      const Given& given) {
  const Value self = given.values[0];
  if (std::optional<Exits> text = text_method(context, name, given)) return text;
  const Object* object = context.state.object_of(self);
  if (!object || !is_list(*object)) return std::nullopt;
  ObjectId id = context.state.object_id_of(self);
  if (std::optional<Value> value = list_method(context, name, given)) return one(context, *value);
  Value first = given.size() > 1 ? given.values[1] : Value::none();
  if (name == "items") return one(context, items_of(context, self));
  if (name == "keys") return one(context, keys_of(context, self));
  if (name == "values") {
    Object values = *object;
    values.keys.clear();
    values.is_map = false;
    values.is_known_list = false;
    return one(context, context.make(std::move(values), 956));
  }
  if (name == "copy")
    return one(context, context.activation.copy(context.state, self, &context.instruction));
  if (name == "append" || name == "add") {
    append(context.state.edit(id), first);
    return one(context, Value::none());
  }
  if (name == "popitem") return one(context, pop_item(context, id, given));
  if (name == "get" || name == "pop" || name == "setdefault") {
    Value found = Value::unknown();
    if (object->is_map) first = as_key(context, first);
    if (const auto item = item_of_compound_key(context, *object, first); item && name == "get")
      return one(context, has_compound_key(context, *object, first) == true ? *item : found);
    const bool is_literal = first.is(ValueKind::kString) ||
                            (object->is_map && first.is(ValueKind::kInt)) ||
                            (first.is(ValueKind::kDevice) && first.place.is_known());
    if (is_literal && !object->open && object->keys.size() == object->elements.size()) {
      for (size_t i = 0; i < object->keys.size(); ++i) {
        if (same(object->keys[i], first)) found = context.state.read(object->elements[i]);
      }
    }
    if (name == "get" && found.is(ValueKind::kUnknown) && given.size() > 2) {
      const bool is_absent = first.is(ValueKind::kString) &&
                             (object->complete || object->elements.empty()) &&
                             has_key(*object, first) == false;
      return one(context, is_absent ? given.values[2] : Value::unknown());
    }
    if (name != "get") {
      Object& table = context.state.edit(id);
      auto at =
          std::ranges::find_if(table.keys, [&](const Value& key) { return same(key, first); });
      const bool is_known = is_literal && at != table.keys.end() && !table.open;
      const bool is_absent = is_literal && !is_compound_key(first) && table.complete &&
                             !table.may_lack_keys && has_key(table, first) == false;
      if (is_known && name == "pop") {
        table.elements.erase(table.elements.begin() + (at - table.keys.begin()));
        table.keys.erase(at);
      } else if (is_absent && name == "setdefault" && given.size() > 2) {
        found = given.values[2];
        append(table, found, first);
      } else if (!is_known && name == "pop") {
        found = give_up_element(context, id);
      } else if (!is_known) {
        open_container(table);
      }
    }
    return one(context, found);
  }
  if (name == "update" || name == "extend" || name == "insert" || name == "remove" ||
      name == "clear" || name == "sort" || name == "reverse" || name == "move_to_end") {
    const Object* more = given.size() == 2 ? context.state.object_of(first) : nullptr;
    bool is_whole = more && is_list(*more) && !more->open;
    if (name == "update" && has_names_only(given)) {
      for (size_t i = 1; i < given.size(); ++i)
        append(context.state.edit(id), given.values[i],
               Value::string(context.name(given.names[i])));
    } else if (is_whole && name == "update" && has_text_keys(*more)) {
      Object from = *more;
      for (size_t i = 0; i < from.keys.size(); ++i)
        append(context.state.edit(id), from.elements[i], from.keys[i]);
    } else if (is_whole && name == "update" && more->elements.empty()) {
      note_empty_update(context, context.state.object(id));
    } else if (name == "clear") {
      Object& list = context.state.edit(id);
      list.erase(context.name(kOfFirstReplica));
      list.erase(context.name(kOfSecondReplica));
      list.elements.clear();
      list.keys.clear();
      list.open = false;
    } else {
      Object& list = context.state.edit(id);
      open_container(list);
      if (name == "update" || name == "extend" || name == "insert") list.rest = Value::unknown();
    }
    return one(context, Value::none());
  }
  constexpr std::string_view kOfNumbers[] = {"__contains__", "__len__",  "count",     "index",
                                             "isdisjoint",   "issubset", "issuperset"};
  // No list has any other method: in a run, the receiver is something else.
  const bool yields_number = std::ranges::find(kOfNumbers, name) != std::end(kOfNumbers);
  return one(context, yields_number ? unknown_scalar(context) : Value::unknown());
}

}  // namespace placecheck::dataflow
