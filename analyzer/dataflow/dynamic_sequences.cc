// Lists that are made of others: joined, repeated, cut, mapped, filtered, chained and drawn from.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/havoc.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kMost = "<at most>";  // of a deque: how many elements it keeps
constexpr std::string_view kMakes = "<makes>";   // of a defaultdict: the function that fills it
constexpr uint32_t kFirstOfTable = 1200;         // before the objects that such functions make
constexpr size_t kMostCalls = static_cast<size_t>(kMostTurns);

Object empty_list() {
  Object list;
  list.kind = ObjectKind::kContainer;
  return list;
}

// Whether a list keeps so many more elements, and each where it is.
bool may_grow(CallContext& context, const Object& list, size_t by) {
  const Value* most = list.find(context.name(kMost));
  if (!most) return true;
  return most->is(ValueKind::kInt) &&
         static_cast<int64_t>(list.elements.size() + by) <= most->number;
}

// At the end. A list of which only that is known, what each of its elements is, holds several
// things afterwards.
void append_item(CallContext& context, Object& list, const Value& value) {
  const bool are_objects = list.open && list.rest.is_object() && value.is_object();
  if (are_objects && list.elements.empty() && !same(list.rest, value)) {
    list.elements.push_back(value);
    if (forget_count(list, context.activation.names())) return;
    list.elements.pop_back();
  }
  append(list, value);
}

// Adds the elements of `more`.
void extend(CallContext& context, Object& list, Object more) {
  Names& names = context.activation.names();
  const bool keeps_all = !list.open || is_unordered(list, names);
  if (more.open && is_unordered(more, names) && keeps_all) {
    std::ranges::for_each(more.elements, [&](const Value& each) { add_once(list.elements, each); });
    if (!list.open) forget_order(list, names);
    return;
  }
  if (more.open) {
    open_container(more);
    // `[first, *others]`: one stands for the others.
    if (!list.open && !list.elements.empty()) {
      if (!more.rest.is(ValueKind::kNone)) list.elements.push_back(more.rest);
      return forget_order(list, names);
    }
    open_container(list);
    list.rest = join(list.rest, more.rest, 0);
    return;
  }
  for (const Value& each : more.elements) append_item(context, list, each);
}

Object repeated(const Object& list, const Value& times) {
  Object result = list;
  if (list.open) return result;
  constexpr int64_t kFew = 24;
  const bool is_known = times.is(ValueKind::kInt) && times.number <= kFew;
  const int64_t count = is_known ? times.number : 1;
  result.elements.clear();
  for (int64_t i = 0; i < count; ++i)
    for (const Value& each : list.elements) append(result, each);
  if (!is_known) open_container(result);
  return result;
}

// Whether an operand of `+` or `*` makes the result a list.
bool is_sequence(CallContext& context, const Value& value) {
  if (value.is(ValueKind::kParameters)) return true;
  const Object* object = context.state.object_of(value);
  return object && is_list(*object) && !object->is_map;
}

bool is_tuple(CallContext& context, const Value& value) {
  const Object* object = context.state.object_of(value);
  return object && object->kind == ObjectKind::kTuple;
}

Value made_list(CallContext& context, Object list, bool as_tuple = false) {
  if (as_tuple && !list.open) list.kind = ObjectKind::kTuple;
  return context.make(std::move(list), 922);
}

// The value that a call returns, in the first of the states in which it ends.
Value called(CallContext& context, const Value& function, const std::vector<Value>& arguments,
             size_t source) {
  Given given;
  for (const Value& each : arguments) given.add(context.state.read(each), {}, source);
  Exits exits = call_value(context, function, given);
  if (exits.empty()) return Value::unknown();
  context.state = std::move(exits.front().state);
  return context.state.read(exits.front().value);
}

Value added(CallContext& context, const Value& a, const Value& b, size_t source) {
  Given given;
  given.add(a, {}, source);
  given.add(b, {}, source);
  Exits exits = call_as(context, given, "op.add");
  if (exits.empty()) return Value::unknown();
  context.state = std::move(exits.front().state);
  return exits.front().value;
}

// Of a list all of whose elements are at hand, each in turn; of others one that stands for each.
bool has_few_items(const Object& list) { return !list.open && list.elements.size() <= kMostCalls; }

// map(function, a, b, ...)
Value mapped(CallContext& context, const Given& given) {
  const Value function = given.values[0];
  const bool is_plain = given.size() == 2;
  Object items = is_plain ? items_in(context, given.values[1])
                          : items_in(context, zipped(context, given.without(1)));
  if (given.is_open) items = open_list(Value::unknown());
  auto apply = [&](const Value& item) {
    const Object* parts = is_plain ? nullptr : context.state.object_of(item);
    const std::vector<Value> arguments =
        parts ? parts->elements : std::vector<Value>(is_plain ? 1 : given.size() - 1, item);
    return called(context, function, arguments, given.sources[1]);
  };
  if (!has_few_items(items)) {
    const Value each = apply(some_item(context, items));
    return made_list(context, open_list(each));
  }
  for (Value& each : items.elements) each = apply(each);
  return made_list(context, std::move(items));
}

// filter(function, list): with None for the function, the elements that are true.
Value filtered(CallContext& context, const Given& given) {
  Object items = items_in(context, given.values[1]);
  std::vector<Value> kept;
  bool is_decided = has_few_items(items) && !given.values[0].is(ValueKind::kNone);
  for (size_t i = 0; is_decided && i < items.elements.size(); ++i) {
    const Value answer = called(context, given.values[0], {items.elements[i]}, given.sources[1]);
    const std::optional<bool> is_kept = truth(answer);
    is_decided = is_kept.has_value();
    if (is_kept == true) kept.push_back(items.elements[i]);
  }
  if (is_decided) return make_list(context, std::move(kept), ObjectKind::kContainer, 922);
  return made_list(context, open_list(some_item(context, items)));
}

// functools.reduce(function, list[, first])
Value reduced(CallContext& context, const Given& given) {
  const Object items = items_in(context, given.values[1]);
  const bool has_first = given.size() > 2;
  if (!has_few_items(items)) {
    const Value each = some_item(context, items);
    const Value first = has_first ? given.values[2] : each;
    return join(first, called(context, given.values[0], {first, each}, given.sources[1]), 0);
  }
  if (!has_first && items.elements.empty()) return Value::unknown();
  Value result = has_first ? given.values[2] : items.elements[0];
  for (size_t i = has_first ? 0 : 1; i < items.elements.size(); ++i)
    result = called(context, given.values[0], {result, items.elements[i]}, given.sources[1]);
  return result;
}

// sum(list[, start])
Value summed(CallContext& context, const Given& given) {
  const Object items = items_in(context, given.values[0]);
  const std::optional<size_t> start = given.find("start", 1);
  if (start && is_sequence(context, given.values[*start])) {
    Object whole = items_in(context, given.values[*start]);
    std::vector<Value> lists = items.elements;
    if (items.open) open_container(whole);
    if (items.open && !items.rest.is(ValueKind::kNone)) lists.push_back(items.rest);
    for (const Value& list : lists) extend(context, whole, items_in(context, list));
    return made_list(context, std::move(whole), is_tuple(context, given.values[*start]));
  }
  const Value first = start ? given.values[*start] : Value::none();
  std::vector<Value> terms = items.elements;
  if (items.open && !is_unordered(items, context.activation.names()))
    terms.assign(1, some_item(context, items));
  if (first.is_tensor()) terms.insert(terms.begin(), first);
  if (terms.empty()) return unknown_scalar(context);
  Value sum = context.state.read(terms[0]);
  for (size_t i = 1; i < terms.size(); ++i)
    sum = added(context, sum, context.state.read(terms[i]), given.sources[0]);
  if (sum.is_tensor()) return context.state.decider_of(sum);
  return unknown_scalar(context);
}

// One of the elements of a list, or of what is given.
Value chosen(CallContext& context, const Object& items) {
  const Value one = some_item(context, items);
  const bool has_scalars = std::ranges::any_of(items.elements, &Value::is_scalar);
  return has_scalars || one.is_scalar() ? unknown_scalar(context) : one;
}

// max(a, b), max(list, key=...)
Value extreme(CallContext& context, const Given& given) {
  const std::vector<size_t> positional = given.positional();
  if (given.is_open || positional.empty()) return unknown_scalar(context);
  Object items = empty_list();
  if (positional.size() == 1) {
    items = items_in(context, given.values[positional[0]]);
  } else {
    for (size_t i : positional) items.elements.push_back(given.values[i]);
  }
  const Value value = chosen(context, items);
  const bool is_known = value.is_tensor() || value.is_object();
  return is_known ? value : unknown_scalar(context);
}

// itertools.product(a, b, ...): tuples, in their order where that is known.
Value product(CallContext& context, const Given& given) {
  if (given.is_open || given.size() != given.positional().size())
    return made_list(context, open_list(Value::unknown()));
  uint32_t ordinal = 923;
  std::vector<std::vector<Value>> rows{{}};
  bool is_known = true;
  for (const Value& each : given.values) {
    Object items = items_in(context, each);
    is_known = is_known && !items.open && rows.size() * items.elements.size() <= kMostCalls;
    if (!is_known) items.elements.assign(1, some_item(context, items));
    std::vector<std::vector<Value>> longer;
    for (const std::vector<Value>& row : rows) {
      for (const Value& element : items.elements) {
        longer.push_back(row);
        longer.back().push_back(element);
      }
    }
    rows = std::move(longer);
  }
  // Where one list is not known, none of the rows is more than an example.
  if (!is_known) rows.resize(std::min<size_t>(rows.size(), 1));
  Object list = empty_list();
  for (std::vector<Value>& row : rows)
    list.elements.push_back(make_list(context, std::move(row), ObjectKind::kTuple, ordinal++));
  if (!is_known) open_container(list);
  return made_list(context, std::move(list));
}

std::optional<Value> itertools_function(CallContext& context, std::string_view name,
                                        const Given& given) {
  const Value first = given.size() ? context.state.read(given.values[0]) : Value::none();
  if (name == "chain") {
    Object whole = empty_list();
    uint32_t which = 0;
    for (const Value& each : given.values) extend(context, whole, items_in(context, each, which++));
    for (const Value& each : given.of_open_list) {
      open_container(whole);
      extend(context, whole, items_in(context, each));
    }
    if (given.is_open && given.of_open_list.empty()) whole = open_list(Value::unknown());
    return made_list(context, std::move(whole));
  }
  if (name == "product") return product(context, given);
  if (given.size() == 0) return std::nullopt;
  if (name == "chain.from_iterable") {
    const Object lists = items_in(context, first);
    Object whole = empty_list();
    for (const Value& each : lists.elements) extend(context, whole, items_in(context, each));
    if (lists.open) open_container(whole);
    if (lists.open && !lists.rest.is(ValueKind::kNone))
      extend(context, whole, items_in(context, lists.rest));
    return made_list(context, std::move(whole));
  }
  if (name == "islice") {
    Object slice = context.library_object("");
    const bool has_start = given.size() > 2;
    slice.set(context.name("from"), has_start ? given.values[1] : Value::none());
    slice.set(context.name("to"), has_start          ? given.values[2]
                                  : given.size() > 1 ? given.values[1]
                                                     : Value::none());
    if (given.size() > 3) slice.set(context.name("step"), given.values[3]);
    return slice_of_list(context, items_in(context, first), slice);
  }
  if (name == "repeat") return made_list(context, open_list(first));
  if (name == "cycle")
    return made_list(context, open_list(some_item(context, items_in(context, first))));
  return std::nullopt;
}

std::optional<Value> random_function(CallContext& context, std::string_view name,
                                     const Given& given) {
  if (given.size() == 0 || given.is_open) return std::nullopt;
  const Value first = context.state.read(given.values[0]);
  if (name == "shuffle") {
    const ObjectId id = context.state.object_id_of(first);
    if (id != kNoObject && context.state.object(id).kind == ObjectKind::kContainer)
      forget_order(context.state.edit(id), context.activation.names());
    return Value::none();
  }
  if (name != "choice" && name != "choices" && name != "sample") return std::nullopt;
  if (!is_sequence(context, first)) return std::nullopt;
  const Value element = chosen(context, items_in(context, first));
  return name == "choice" ? element : made_list(context, open_list(element));
}

// collections.deque(list, maxlen): a list, the first elements of which fall out of one that is
// full.
Value deque(CallContext& context, const Given& given) {
  const std::optional<size_t> from = given.find("iterable", 0), most = given.find("maxlen", 1);
  Object list = from ? items_in(context, given.values[*from]) : empty_list();
  if (given.is_open) list = open_list(Value::unknown());
  const Value limit = most ? context.state.read(given.values[*most]) : Value::none();
  if (!limit.is(ValueKind::kNone)) list.set(context.name(kMost), limit);
  const bool is_cut = !list.elements.empty() && !may_grow(context, list, 0);
  if (is_cut) open_container(list);
  return made_list(context, std::move(list));
}

// Takes an element out of a list.
Value taken_out(CallContext& context, ObjectId id, const Value& at) {
  const Object& list = context.state.object(id);
  const std::optional<size_t> position = position_in(list, at);
  if (!position) {
    const Value one = some_item(context, list);
    open_container(context.state.edit(id));
    return one;
  }
  const Value one = context.state.read(list.elements[*position]);
  Object& edited = context.state.edit(id);
  edited.elements.erase(edited.elements.begin() + static_cast<int64_t>(*position));
  return one;
}

void put_in_front(CallContext& context, ObjectId id, const Value& value, const Value& at) {
  const bool is_front = at.is(ValueKind::kInt) && at.number == 0;
  Object& list = context.state.edit(id);
  if (!is_front || list.open || !may_grow(context, list, 1)) {
    open_container(list);
    list.rest = join(list.rest, value, 0);
    return;
  }
  list.elements.insert(list.elements.begin(), value);
}

}  // namespace

// Of tuples of one length, a tuple of what one of them has at each position; nothing for others.
static std::optional<Value> some_tuple(CallContext& context, const Object& items) {
  std::vector<Value> all = items.elements;
  if (items.open) all.push_back(items.rest);
  std::vector<Value> parts;
  for (const Value& each : all) {
    const Object* tuple = context.state.object_of(each);
    const bool is_plain = tuple && tuple->kind == ObjectKind::kTuple && !tuple->open &&
                          !tuple->type && tuple->fields.empty();
    if (!is_plain || (!parts.empty() && parts.size() != tuple->elements.size()))
      return std::nullopt;
    if (parts.empty()) parts.assign(tuple->elements.size(), Value::none());
    for (size_t i = 0; i < parts.size(); ++i) {
      const Value part = context.state.read(tuple->elements[i]);
      const bool is_first = &each == &all.front();
      parts[i] = is_first ? part : join(parts[i], part, 0);
    }
  }
  return make_list(context, std::move(parts), ObjectKind::kTuple, 925);
}

Value some_item(CallContext& context, const Object& items) {
  if (items.elements.empty()) return items.open ? context.state.read(items.rest) : Value::unknown();
  if (items.elements.size() == 1 && !items.open) return context.state.read(items.elements[0]);
  if (std::optional<Value> tuple = some_tuple(context, items)) return *tuple;
  const Value list = context.make(items, 924);
  Value one = context.state.read(Value::address(list.object, Value::kSomeElement));
  one.one_of = !one.is(ValueKind::kUnknown);
  return one;
}

std::optional<size_t> position_in(const Object& list, const Value& index) {
  if (list.open || !index.is(ValueKind::kInt)) return std::nullopt;
  const int64_t size = static_cast<int64_t>(list.elements.size());
  const int64_t position = index.number < 0 ? index.number + size : index.number;
  const bool is_inside = position >= 0 && position < size;
  return is_inside ? std::optional(static_cast<size_t>(position)) : std::nullopt;
}

Value slice_of_list(CallContext& context, const Object& list, const Object& slice) {
  const Value* from = slice.find(context.name("from"));
  const Value* to = slice.find(context.name("to"));
  const Value* by = slice.find(context.name("step"));
  const bool has_step = by && !by->is(ValueKind::kNone);
  const bool is_known_step = !has_step || (by->is(ValueKind::kInt) && by->number != 0);
  const int64_t step = has_step && is_known_step ? by->number : 1;
  const int64_t size = static_cast<int64_t>(list.elements.size());
  // Counting down, the position before the first is where it ends.
  const int64_t lowest = step < 0 ? -1 : 0, highest = step < 0 ? size - 1 : size;
  auto bound = [&](const Value* value, int64_t otherwise) -> std::optional<int64_t> {
    if (!value || value->is(ValueKind::kNone)) return otherwise;
    if (!value->is(ValueKind::kInt)) return std::nullopt;
    const int64_t position = value->number < 0 ? value->number + size : value->number;
    return std::clamp(position, lowest, highest);
  };
  const std::optional<int64_t> first = bound(from, step < 0 ? highest : lowest);
  const std::optional<int64_t> last = bound(to, step < 0 ? lowest : highest);
  if (list.open || !first || !last || !is_known_step) {
    // Which of the modules the part has is not known, nor what is done with them.
    const auto is_module = [&](const Value& each) {
      const Object* object = context.state.object_of(each);
      return object && object->is_module();
    };
    if (list.elements.size() > 1 && std::ranges::any_of(list.elements, is_module)) {
      const Name label =
          context.name("part<" + context.activation.number_of(context.instruction) + ">");
      Havoc(context.state, context.activation.names(), label).objects_among(list.elements);
    }
    Object copy = list;
    open_container(copy);
    copy.kind = ObjectKind::kContainer;
    return context.make(std::move(copy), 963);
  }
  std::vector<Value> part;
  for (int64_t i = *first; step > 0 ? i < *last : i > *last; i += step)
    part.push_back(list.elements[static_cast<size_t>(i)]);
  return make_list(context, std::move(part), list.kind, 963);
}

Value written_sequence(CallContext& context, std::string_view kind) {
  const auto& written = context.call().arguments;
  Object list = empty_list();
  for (size_t i = 0; i < context.count(); ++i) {
    const bool is_spread = i < written.size() && written[i].name == "*";
    if (is_spread)
      extend(context, list, items_in(context, context.read(i), static_cast<uint32_t>(i)));
    else if (list.open)
      append_item(context, list, context.read(i));
    else
      list.elements.push_back(context.read(i));
  }
  list.is_known_list = kind == "list";
  if (kind == "tuple" && !list.open) list.kind = ObjectKind::kTuple;
  return context.make(std::move(list));
}

Value updated_list(CallContext& context, const Value& before, const Value& other,
                   const std::string& operation) {
  const ObjectId id = context.state.object_id_of(before);
  if (operation == "op.mul") {
    Object copy = repeated(context.state.object(id), other);
    context.state.edit(id) = std::move(copy);
    return before;
  }
  const Object* more = context.state.object_of(other);
  if (context.state.object(id).is_map) {
    const bool is_known = more && has_text_keys(*more) && operation == "op.or";
    const Object from = is_known ? *more : Object();
    Object& table = context.state.edit(id);
    for (size_t i = 0; i < from.keys.size(); ++i) append(table, from.elements[i], from.keys[i]);
    if (!is_known) {
      open_container(table);
      table.rest = Value::unknown();
    }
    return before;
  }
  Object items = items_in(context, other);
  Object& list = context.state.edit(id);
  if (!may_grow(context, list, items.elements.size())) open_container(list);
  extend(context, list, std::move(items));
  return before;
}

std::optional<Value> list_operation(CallContext& context) {
  const std::string& name = context.call().name;
  const bool adds = name == "op.add", repeats = name == "op.mul";
  if ((!adds && !repeats) || context.count() != 2 || !is_dynamic(context.activation.function()))
    return std::nullopt;
  const Value a = context.read(0), b = context.read(1);
  const bool is_first = is_sequence(context, a), is_second = is_sequence(context, b);
  if (adds) {
    if (!is_first || !is_second) return std::nullopt;
    Object whole = items_in(context, a);
    extend(context, whole, items_in(context, b, 1));
    return made_list(context, std::move(whole), is_tuple(context, a) && is_tuple(context, b));
  }
  if (is_first == is_second) return std::nullopt;
  const Value list = is_first ? a : b, times = is_first ? b : a;
  const bool may_be_number =
      times.is(ValueKind::kInt) || times.is(ValueKind::kSymbol) || times.is(ValueKind::kUnknown);
  if (!may_be_number) return std::nullopt;
  return made_list(context, repeated(items_in(context, list), times), is_tuple(context, list));
}

std::optional<Value> sequence_function(CallContext& context, std::string_view name,
                                       const Given& given) {
  const std::string_view library = name.substr(0, name.find('.'));
  const std::string_view function = name.substr(std::min(name.find('.') + 1, name.size()));
  if (library == "itertools") return itertools_function(context, function, given);
  if (library == "random") return random_function(context, function, given);
  if (name == "collections.deque") return deque(context, given);
  if (name == "functools.reduce" && given.size() > 1) return reduced(context, given);
  if (name == "collections.defaultdict") {
    Exits exits = *builtin_function(context, "dict", given.size() ? given.without(1) : given);
    context.state = std::move(exits.front().state);
    const Value table = exits.front().value;
    const bool fills = given.size() > 0 && given.names[0].empty();
    if (fills && !given.values[0].is(ValueKind::kNone))
      context.state.edit(table.object).set(context.name(kMakes), given.values[0]);
    return table;
  }
  if (library != "builtins" || given.size() == 0) return std::nullopt;
  if (function == "sum") return summed(context, given);
  if (function == "max" || function == "min") return extreme(context, given);
  if (given.size() < 2) return std::nullopt;
  if (function == "map") return mapped(context, given);
  if (function == "filter") return filtered(context, given);
  return std::nullopt;
}

bool is_defaultdict(CallContext& context, const Object& table) {
  return table.kind == ObjectKind::kContainer && table.find(context.name(kMakes));
}

Value item_of_defaultdict(CallContext& context, ObjectId id, const Value& key) {
  const Object& table = context.state.object(id);
  for (size_t i = 0; i < table.keys.size(); ++i) {
    if (same(table.keys[i], key)) return context.state.read(table.elements[i]);
  }
  if (table.open && !table.rest.is(ValueKind::kNone))
    return context.state.read(Value::address(id, Value::kSomeElement));
  Value made = Value::unknown();
  const Value function = *table.find(context.name(kMakes));
  const uint32_t ordinal = kFirstOfTable + static_cast<uint32_t>(table.elements.size());
  // Each key has an object of its own.
  if (library_name(context, function) == "builtins.list")
    made = make_list(context, {}, ObjectKind::kContainer, ordinal);
  else
    made = called(context, function, {}, Given::kMade);
  const bool is_known = key.is(ValueKind::kString) || key.is(ValueKind::kInt);
  append(context.state.edit(id), made, is_known ? key : Value::symbol(context.name("a key")));
  return made;
}

void reverse_list(CallContext& context, Object& list) {
  if (list.open) return forget_order(list, context.activation.names());
  std::ranges::reverse(list.elements);
}

void sort_list(CallContext& context, const Given& given, Object& list) {
  const std::optional<size_t> reverse = given.named("reverse");
  const std::optional<bool> is_reversed =
      reverse ? truth(context.state.read(given.values[*reverse])) : false;
  const bool are_numbers = !list.open && std::ranges::all_of(list.elements, [](const Value& each) {
    return each.is(ValueKind::kInt);
  });
  if (!are_numbers || !is_reversed || given.is_open || given.named("key"))
    return forget_order(list, context.activation.names());
  std::ranges::sort(list.elements, {}, &Value::number);
  if (*is_reversed) std::ranges::reverse(list.elements);
}

std::optional<Value> list_method(CallContext& context, std::string_view name, const Given& given) {
  const ObjectId id = context.state.object_id_of(given.values[0]);
  if (id == kNoObject || given.is_open) return std::nullopt;
  const Object& list = context.state.object(id);
  if (list.kind != ObjectKind::kContainer || list.is_map || !list.keys.empty()) return std::nullopt;
  const Value first = given.size() > 1 ? given.values[1] : Value::none();
  const Value second = given.size() > 2 ? given.values[2] : Value::none();
  if (name == "append") {
    Object& edited = context.state.edit(id);
    if (!may_grow(context, edited, 1)) open_container(edited);
    append_item(context, edited, first);
    return Value::none();
  }
  if (name == "appendleft" || name == "insert") {
    const bool is_insert = name == "insert";
    put_in_front(context, id, is_insert ? second : first, is_insert ? first : Value::integer(0));
    return Value::none();
  }
  if (name == "extend" || name == "extendleft") {
    updated_list(context, given.values[0], first, "op.add");
    if (name == "extendleft") forget_order(context.state.edit(id), context.activation.names());
    return Value::none();
  }
  if (name == "pop") return taken_out(context, id, given.size() > 1 ? first : Value::integer(-1));
  if (name == "popleft") return taken_out(context, id, Value::integer(0));
  if (name == "reverse") {
    reverse_list(context, context.state.edit(id));
    return Value::none();
  }
  if (name == "sort") {
    sort_list(context, given, context.state.edit(id));
    return Value::none();
  }
  if (name == "rotate") {
    forget_order(context.state.edit(id), context.activation.names());
    return Value::none();
  }
  return std::nullopt;
}

}  // namespace placecheck::dataflow
