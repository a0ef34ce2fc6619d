// What loops run over: ranges, lists, tables, and what numbers or joins them.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kEnumerate = "enumerate";
constexpr std::string_view kItems = "items";
constexpr std::string_view kKeys = "keys";
constexpr std::string_view kZip = "zip";
constexpr std::string_view kRange = "range";
// Of a range, and of what numbers others: the number of the first element; of the last, if known.
constexpr std::string_view kFirst = "first";
constexpr std::string_view kLast = "last";
constexpr std::string_view kIsOfLength = "<a range of a length>";
constexpr std::string_view kLastByCount = "last, by the number of devices";

// Ordinals of the tuples that stand for the elements of what joins others.
constexpr uint32_t kElement = 957;
constexpr uint32_t kFirstItem = 1300;
constexpr uint32_t kTuplesOfItem = 8;
constexpr uint32_t kItemsOfEach = kTuplesOfItem * static_cast<uint32_t>(kMostTurns);
constexpr uint32_t kMostJoined = 8;

const Value* source_of(CallContext& context, const Object& wrapper) {
  return wrapper.find(context.name("source"));
}

Value wrap(CallContext& context, std::string_view kind, const Value& source, uint32_t ordinal = 0) {
  Object wrapper = context.library_object(kind);
  wrapper.set(context.name("source"), source);
  return context.make(std::move(wrapper), 950 + ordinal);
}

// Of an element that is taken one by one; of others it is not known.
Value position_of(const Value& turn) { return is_first_of_many(turn) ? Value::unknown() : turn; }

// The number of the current iteration: `first` in the first one where the loop compares numbers,
// else a symbol.
Value iteration_number(CallContext& context, const Value& turn, const Value& first,
                       std::optional<int64_t> last) {
  const NumberedLoop* loop = context.activation.numbered_loop(context.instruction);
  const Value symbol =
      context.activation.fresh_symbol(context.instruction, context.state, ".number");
  if (loop && loop->decides && first.is(ValueKind::kInt)) {
    const IterationNumber number{symbol.name, first.number, last, /*is_of_range=*/true};
    context.activation.note_iteration_number(loop->head, number);
    if (!is_first_of_many(turn))
      assume_after_first(number, context.state, context.activation.names());
  }
  if (is_first_of_many(turn) && first.is_scalar()) return first;
  return symbol;
}

// `zip(*rows)` of any number of rows, each with the same number of values: a list of each of these.
std::optional<Value> columns_of_rows(CallContext& context, const Given& given) {
  const auto& written = context.call().arguments;
  bool is_spread = given.is_open && given.size() == 0 && written.size() == 1 &&
                   context.count() == 1 && written[0].name == "*";
  const Object* rows = is_spread ? context.state.object_of(context.read(0)) : nullptr;
  if (!rows || !is_list(*rows) || !rows->open || !rows->elements.empty()) return std::nullopt;
  const Object* row = context.state.object_of(rows->rest);
  if (!row || !is_list(*row) || row->open || row->is_map) return std::nullopt;
  std::vector<Value> columns;
  uint32_t ordinal = 0;
  for (const Value& each : std::vector<Value>(row->elements))
    columns.push_back(context.make(open_list(context.state.read(each)), 920 + ordinal++));
  return make_list(context, std::move(columns), ObjectKind::kContainer, 919);
}

// A short table is taken entry by entry.
bool is_short_table(const Object* table) {
  return table && table->is_map && has_literal_keys(*table) &&
         table->keys.size() <= static_cast<size_t>(kMostTurns);
}

// The entry of a short table that an iteration takes.
std::optional<size_t> entry_at(const Object* table, const Value& iteration) {
  bool is_at = iteration.is(ValueKind::kInt) && is_short_table(table) && iteration.number >= 0 &&
               iteration.number < static_cast<int64_t>(table->keys.size());
  return is_at ? std::optional(static_cast<size_t>(iteration.number)) : std::nullopt;
}

constexpr std::string_view kIsOverDevices = "<a range over devices>";

// range(n) up to how many devices there are: the numbers of those that there are at least, and the
// number behind the last where the range goes one too far.
std::optional<Exits> range_over_devices(CallContext& context, const Given& given) {
  if (given.size() == 0 || given.size() > 2 || given.is_open) return std::nullopt;
  const Names& names = context.activation.names();
  const Value from = given.size() == 2 ? given.values[0] : Value::integer(0);
  const Value to = given.values[given.size() - 1];
  if (!from.is(ValueKind::kInt) || !to.is(ValueKind::kSymbol)) return std::nullopt;
  const Value count = Value::symbol(context.name(kDeviceCount));
  bool is_beyond = false;
  if (names.is_term(to.name, "add") && names.operands(to.name).size() == 2) {
    const std::vector<Name>& parts = names.operands(to.name);
    const Name one = context.name("1");
    is_beyond =
        (parts[0] == count.name && parts[1] == one) || (parts[1] == count.name && parts[0] == one);
  }
  if (!is_beyond && to.name != count.name) return std::nullopt;
  std::vector<Value> numbers;
  for (int64_t i = from.number; i < context.activation.assumed_devices(); ++i)
    numbers.push_back(Value::integer(i));
  if (is_beyond) numbers.push_back(count);
  const Value list = make_list(context, std::move(numbers), ObjectKind::kContainer);
  Object& range = context.state.edit(list.object);
  range.open = !is_beyond;
  range.rest = unknown_scalar(context);
  if (!is_beyond) range.set(context.name(kIsOverDevices), Value::boolean(true));
  return one(context, list);
}

// Whether a loop over all devices goes on with the iteration: while its number is below how many
// there are.
std::optional<Value> is_below_count(CallContext& context, const Object& range, int64_t iteration) {
  if (!is_range_over_devices(context, range) || !range.open || range.elements.empty())
    return std::nullopt;
  const Value number = Value::integer(range.elements[0].number + iteration);
  return evaluate("op.lt", number, Value::symbol(context.name(kDeviceCount)),
                  context.activation.names(), context.activation.assumed_devices());
}

// Of what is zipped, the list that says how often: the shortest where all lengths are known, and of
// those one whose elements are taken one by one.
const Value* counting_part(CallContext& context, const Object& zip) {
  if (zip.elements.empty()) return nullptr;
  std::optional<int64_t> shortest;
  for (const Value& each : zip.elements) {
    const std::optional<int64_t> length = known_length(context, each);
    if (!length) return &zip.elements[0];
    shortest = shortest ? std::min(*shortest, *length) : *length;
  }
  for (const Value& each : zip.elements) {
    const Object* list = context.state.object_of(each);
    const bool counts = list && is_list(*list) && is_taken_one_by_one(context, *list);
    if (counts && known_length(context, each) == shortest) return &each;
  }
  return &zip.elements[0];
}

// The number that a range gives to the current iteration; nullopt where `range` is none, or is a
// list whose elements are taken one by one.
std::optional<Value> number_of_range(CallContext& context, const Object& range, const Value& turn) {
  if (is_kind(context, &range, kRange)) {
    if (multiple_of_count(turn, context.activation.names())) return turn;
    const Value* first = range.find(context.name(kFirst));
    const Value* last = range.find(context.name(kLast));
    // Copies: a new symbol may change the object.
    return iteration_number(context, turn, first ? Value(*first) : Value::unknown(),
                            last ? std::optional(last->number) : std::nullopt);
  }
  const Names& names = context.activation.names();
  const bool is_last = is_range_over_devices(context, range) && offset_from_count(turn, names);
  if (is_last) return turn;
  const bool is_listed = range.find(context.name(kIsRange)) && !range.elements.empty();
  if (!is_listed || position_of(turn).is(ValueKind::kInt)) return std::nullopt;
  if (!context.activation.numbered_loop(context.instruction)) return std::nullopt;
  return iteration_number(context, turn, Value(range.elements.front()),
                          range.elements.back().number);
}

Exits element_of(CallContext& context, const Value& range, const Value& turn, int depth,
                 uint32_t ordinal);

// What `__iter__` of an object of the program has returned for the loop at hand.
constexpr std::string_view kFromIter = "<from iter>";

const ir::Function* method_of(CallContext& context, const ir::Class& type, std::string_view name) {
  const FoundMethod found = find_method(context.activation, type, name);
  return found.how.empty() ? found.function : nullptr;
}

// The element that an object of the program gives: by `__next__`, as an element of what `__iter__`
// has returned, or by `__getitem__`.
Exits element_of_object(CallContext& context, const Value& self, const ir::Class& type,
                        const Value& turn, int depth) {
  constexpr uint32_t kOrdinal = 970;
  if (const ir::Function* next = method_of(context, type, "__next__"))
    return call_function(context, *next, {self}, {});
  if (depth == 4) return one(context, Value::unknown());
  if (const Value* iterated = context.state.object_of(self)->find(context.name(kFromIter)))
    return element_of(context, Value(*iterated), turn, depth + 1, kOrdinal);
  const ir::Function* begins = method_of(context, type, "__iter__");
  const ir::Function* item = method_of(context, type, "__getitem__");
  if (!begins && !item) return one(context, Value::unknown());
  Given index;
  if (!begins) index.add(unknown_scalar(context), {}, Given::kMade);
  Exits exits = call_function(context, begins ? *begins : *item, {self}, index);
  if (!begins) return exits;
  Exits elements;
  for (Exit& exit : exits) {
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    if (exit.state.object_id_of(exit.value) == exit.state.object_id_of(self))
      exit.value = Value::unknown();
    std::ranges::move(element_of(after, exit.value, turn, depth + 1, kOrdinal),
                      std::back_inserter(elements));
  }
  return elements;
}

Exits plain_element(CallContext& context, const Value& range, const Value& turn, int depth) {
  Value direct = context.state.read(range);
  if (const Object* counted = context.state.object_of(direct)) {
    if (std::optional<Value> number = number_of_range(context, *counted, turn))
      return one(context, *number);
  }
  const Value iteration = position_of(turn);
  const Object* object = context.state.object_of(direct);
  if (std::optional<Exits> batch = batch_of(context, object)) return std::move(*batch);
  if (direct.is(ValueKind::kParameters))
    return one(context, iteration.is(ValueKind::kInt) ? parameter_at(context, direct, iteration)
                                                      : some_parameter(context, direct));
  if (object && object->kind == ObjectKind::kLibrary) {
    if (std::optional<Value> item = dataset_item(context, Object(*object), unknown_scalar(context)))
      return one(context, *item);
    return one(context, Value::unknown());
  }
  if (object && object->kind == ObjectKind::kContainer && object->is_map) {
    // A table is run over by its keys.
    if (std::optional<size_t> entry = entry_at(object, iteration))
      return one(context, object->keys[*entry]);
    if (has_text_keys(*object)) return one(context, each_key(context, object->keys, 958));
    return one(context, key_of_iteration(context, direct));
  }
  if (object && object->type && !object->is_module())
    return element_of_object(context, direct, *object->type, turn, depth);
  if (!object && direct.is(ValueKind::kUnknown) && direct.origin != 0)
    return one(context, Value::unknown_part(direct));
  Given arguments;
  arguments.add(direct, {}, 0);
  arguments.add(iteration, {}, 1);
  const ir::Instruction& written = context.activation.rewritten(
      context.instruction, "loop.element", ir::CallKind::kDirect, {}, arguments.sources);
  CallContext step{context.activation, context.state, written, arguments.values};
  bool holds_scalars = object && is_list(*object) && !object->elements.empty() &&
                       std::ranges::all_of(object->elements, &Value::is_scalar);
  Exits exits = loop_call(step);
  for (Exit& exit : exits) {
    exit.value = exit.state.read(exit.value);
    // One of several numbers or texts, but one in each iteration.
    if (holds_scalars && exit.value.is(ValueKind::kUnknown))
      exit.value = context.activation.fresh_symbol(context.instruction, exit.state);
  }
  return exits;
}

// One of several parts, in the state that the others leave.
Value next_part(CallContext& context, const Value& range, const Value& iteration,
                uint32_t ordinal) {
  Exits exits = element_of(context, range, iteration, 1, ordinal);
  if (exits.empty()) return Value::unknown();
  if (exits.size() > 1) {
    context.state = std::move(exits.front().state);
    return Value::unknown();
  }
  context.state = std::move(exits.front().state);
  return exits.front().value;
}

// The position and the element there.
Exits enumerated_element(CallContext& context, const Object& wrapper, const Value& turn, int depth,
                         uint32_t ordinal) {
  const Value* source = source_of(context, wrapper);
  const Value* start = wrapper.find(context.name(kFirst));
  const Value first = start ? Value(*start) : Value::integer(0);
  Exits exits = source ? element_of(context, Value(*source), turn, depth + 1, ordinal + 1)
                       : one(context, Value::unknown());
  for (Exit& exit : exits) {
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    const bool is_counted = position_of(turn).is(ValueKind::kInt) && !start;
    const Value at = is_counted ? turn : iteration_number(after, turn, first, std::nullopt);
    exit.value = make_list(after, {at, exit.value}, ObjectKind::kTuple, ordinal);
  }
  return exits;
}

// `ordinal` tells the tuples apart that one call makes.
Exits element_of(CallContext& context, const Value& range, const Value& turn, int depth,
                 uint32_t ordinal) {
  Value direct = context.state.read(range);
  const Object* object = context.state.object_of(direct);
  if (depth < 4 && is_kind(context, object, kEnumerate))
    return enumerated_element(context, Object(*object), turn, depth, ordinal);
  const Value iteration = position_of(turn);
  if (depth < 4 && is_kind(context, object, kZip)) {
    std::vector<Value> sources = object->elements, parts;
    for (const Value& source : sources)
      parts.push_back(next_part(context, source, turn, ordinal + 2));
    return one(context, make_list(context, std::move(parts), ObjectKind::kTuple, ordinal));
  }
  if (is_kind(context, object, kKeys) || is_kind(context, object, kItems)) {
    bool with_value = is_kind(context, object, kItems);
    const Value* source = source_of(context, *object);
    Value table = source ? context.state.read(*source) : Value::unknown();
    const Object* entries = context.state.object_of(table);
    Value key, content = Value::unknown();
    if (std::optional<size_t> entry = entry_at(entries, iteration)) {
      key = entries->keys[*entry];
      content = context.state.read(entries->elements[*entry]);
    } else if (entries && has_text_keys(*entries)) {
      key = each_key(context, entries->keys, 958);
      const ObjectId id = context.state.object_id_of(table);
      content = context.state.read(Value::address(id, Value::kSomeElement));
    } else if (table.is(ValueKind::kParameters) && iteration.is(ValueKind::kInt)) {
      content = parameter_at(context, table, iteration);
      key = name_in_module(context, table);
    } else if (table.is(ValueKind::kParameters)) {
      content = parameter_of(context.activation, context.state, table.object);
      key = name_in_module(context, table);
    } else if (entries && entries->open) {
      key = key_of_iteration(context, table);
      content = context.state.read(context.state.object_of(table)->rest);
    } else if (!entries) {
      content = Value::unknown_part(table);
    }
    if (key.is(ValueKind::kUnknown)) key = unknown_scalar(context);
    if (!with_value) return one(context, key);
    return one(context, make_list(context, {key, content}, ObjectKind::kTuple, ordinal));
  }
  return plain_element(context, direct, turn, depth);
}

// Whether the loop is given the numbers of its iterations.
bool has_numbers(CallContext& context, const Value& range, int depth = 0) {
  const Object* object = context.state.object_of(range);
  if (!object || depth == 4) return false;
  if (is_kind(context, object, kEnumerate) || is_kind(context, object, kRange)) return true;
  if (object->find(context.name(kIsRange))) return true;
  return is_kind(context, object, kZip) &&
         std::ranges::any_of(object->elements, [&](const Value& each) {
           return has_numbers(context, each, depth + 1);
         });
}

// How many elements something has that joins others, where all of them are at hand.
std::optional<size_t> joined_length(CallContext& context, const Value& value) {
  if (!is_joined(context, value)) return std::nullopt;
  const Object* counted = context.state.object_of(iterated_list(context, value));
  if (!counted || !(is_list(*counted) || counted->is_module())) return std::nullopt;
  const bool is_whole = counted->is_module() ? counted->complete : !counted->open;
  const size_t size = counted->is_module() ? counted->registered.size() : counted->elements.size();
  if (!is_whole || size > static_cast<size_t>(kMostTurns)) return std::nullopt;
  if (is_kind(context, context.state.object_of(value), kZip)) {
    // Each of the lists has to say where it ends.
    for (const Value& each : context.state.object_of(value)->elements)
      if (!known_length(context, each) && !joined_length(context, each)) return std::nullopt;
  }
  return size;
}

}  // namespace

Value enumerated(CallContext& context, const Value& range, const Value* start) {
  const Value wrapper = wrap(context, kEnumerate, range);
  if (start) context.state.edit(wrapper.object).set(context.name(kFirst), *start);
  return wrapper;
}

Value zipped(CallContext& context, const Given& given) {
  if (std::optional<Value> columns = columns_of_rows(context, given)) return *columns;
  Object zip = context.library_object(kZip);
  zip.elements = given.values;
  return context.make(std::move(zip));
}

Value items_of(CallContext& context, const Value& table) { return wrap(context, kItems, table); }

bool is_items(CallContext& context, const Object& object) {
  return is_kind(context, &object, kItems);
}

Value keys_of(CallContext& context, const Value& table) { return wrap(context, kKeys, table); }

std::optional<Value> table_of_keys(CallContext& context, const Object& object) {
  const Value* table = is_kind(context, &object, kKeys) ? source_of(context, object) : nullptr;
  return table ? std::optional(context.state.read(*table)) : std::nullopt;
}

bool is_joined(CallContext& context, const Value& value) {
  const Object* object = context.state.object_of(value);
  return is_kind(context, object, kZip) || is_kind(context, object, kEnumerate) ||
         is_kind(context, object, kItems) || is_kind(context, object, kKeys);
}

Object items_in(CallContext& context, const Value& value, uint32_t which) {
  const Value direct = context.state.read(value);
  const Object* object = context.state.object_of(direct);
  Object items;
  items.kind = ObjectKind::kContainer;
  if (object && is_list(*object) && !object->is_map && object->keys.empty()) {
    const bool has_no_order = is_unordered(*object, context.activation.names());
    items.elements = object->elements;
    items.open = object->open && !has_no_order;
    items.rest = object->rest;
    for (Value& each : items.elements) each = context.state.read(each);
    if (has_no_order) forget_order(items, context.activation.names());
    if (items.open && !has_no_order) open_container(items);
    return items;
  }
  if (direct.is(ValueKind::kParameters)) return parameters_in(context, direct);
  if (object && object->is_module() && object->complete && !is_network(context, direct.object)) {
    for (const Registered& each : object->registered) items.elements.push_back(each.value);
    return items;
  }
  if (object && object->is_module() && is_network(context, direct.object))
    return open_list(part_of_network(context, direct.object));
  // What joins others is made here, tuple by tuple.
  const uint32_t first = kFirstItem + which % kMostJoined * kItemsOfEach;
  const std::optional<size_t> length = joined_length(context, direct);
  if (!length) return open_list(next_part(context, direct, Value::unknown(), first));
  for (size_t i = 0; i < *length; ++i) {
    const uint32_t ordinal = first + kTuplesOfItem * static_cast<uint32_t>(i);
    items.elements.push_back(
        next_part(context, direct, Value::integer(static_cast<int64_t>(i)), ordinal));
  }
  return items;
}

std::optional<int64_t> known_length(CallContext& context, const Value& value) {
  if (value.is(ValueKind::kParameters)) {
    const Object list = parameters_in(context, value);
    return list.open ? std::nullopt : std::optional(static_cast<int64_t>(list.elements.size()));
  }
  if (std::optional<std::string> text = context.text(value))
    return static_cast<int64_t>(text->size());
  const Object* object = context.state.object_of(value);
  if (!object) return std::nullopt;
  if (object->is_module() && object->complete)
    return static_cast<int64_t>(object->registered.size());
  if (is_list(*object) && !object->open) return static_cast<int64_t>(object->elements.size());
  return std::nullopt;
}

bool is_range_over_devices(CallContext& context, const Object& list) {
  return list.find(context.name(kIsOverDevices));
}

bool is_range_over_devices(const State& state, const Value& range, const Names& names) {
  const Object* list = state.object_of(range);
  return list && list->find(names.find(kIsOverDevices)) && !list->elements.empty() &&
         same(list->elements[0], Value::integer(0));
}

// The last number of `range(first, 2 * device_count())`, of which there is one certainly.
static std::optional<Value> last_by_count(CallContext& context, const Given& given) {
  if (given.size() == 0 || given.size() > 2 || given.is_open) return std::nullopt;
  Names& names = context.activation.names();
  const int devices = context.activation.assumed_devices();
  const Value from = given.size() == 2 ? given.values[0] : Value::integer(0);
  const std::optional<MultipleOfCount> to =
      multiple_of_count(given.values[given.size() - 1], names);
  const bool is_there = to && from.is(ValueKind::kInt) && to->factor > 0 &&
                        from.number < to->factor * devices + to->constant;
  if (!is_there) return std::nullopt;
  return evaluate("op.sub", given.values[given.size() - 1], Value::integer(1), names, devices);
}

std::optional<Value> last_by_count(const State& state, const Value& range, const Names& names) {
  const Object* object = state.object_of(range);
  const Value* last = object ? object->find(names.find(kLastByCount)) : nullptr;
  return last ? std::optional(*last) : std::nullopt;
}

// Whether an argument is written as the length of something, or as a variable that is one.
static bool is_length(CallContext& context, size_t source) {
  const auto& written = context.call().arguments;
  if (source >= written.size()) return false;
  const ir::Instruction* made = context.activation.find_definition(written[source].value);
  if (made && made->opcode == ir::Opcode::kLoad)
    made = context.activation.find_only_definition(made->symbol);
  return made && made->opcode == ir::Opcode::kCall && made->call.name == "builtins.len";
}

// range(n) of a few numbers is their list.
Exits make_range(CallContext& context, const Given& given) {
  if (std::optional<Exits> devices = range_over_devices(context, given)) return std::move(*devices);
  constexpr uint64_t kFew = 8;
  int64_t from = 0, to = 0;
  bool known = given.size() > 0 && given.size() <= 2 && !given.is_open;
  for (size_t i = 0; i < given.size(); ++i) known &= given.values[i].is(ValueKind::kInt);
  if (known) {
    from = given.size() == 2 ? given.values[0].number : 0;
    to = given.values[given.size() - 1].number;
  }
  const uint64_t length = static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
  bool is_long = to >= from && length > kFew;
  if (!known || is_long) {
    Object range = context.library_object(kRange);
    const bool has_first = given.size() > 0 && !given.is_open;
    if (has_first)
      range.set(context.name(kFirst), given.size() == 1 ? Value::integer(0) : given.values[0]);
    if (known) range.set(context.name(kLast), Value::integer(to - 1));
    if (const std::optional<Value> last = last_by_count(context, given))
      range.set(context.name(kLastByCount), *last);
    return one(context, context.make(std::move(range)));
  }
  std::vector<Value> numbers;
  for (int64_t i = from; i < to; ++i) numbers.push_back(Value::integer(i));
  Value range = make_list(context, std::move(numbers), ObjectKind::kContainer);
  Object& made = context.state.edit(range.object);
  made.set(context.name(kIsRange), Value::boolean(true));
  if (is_length(context, given.sources.back()))
    made.set(context.name(kIsOfLength), Value::boolean(true));
  return one(context, range);
}

Value iterated_list(CallContext& context, const Value& range) {
  Value current = context.state.read(range);
  for (int hops = 0; hops < 4; ++hops) {
    const Object* object = context.state.object_of(current);
    if (!object) break;
    if (const Value* iterated = object->find(context.name(kFromIter))) {
      current = context.state.read(*iterated);
      continue;
    }
    if (object->kind != ObjectKind::kLibrary) break;
    const Value* inner = source_of(context, *object);
    if (is_kind(context, object, kZip)) inner = counting_part(context, *object);
    bool is_wrapper = is_kind(context, object, kEnumerate) || is_kind(context, object, kZip) ||
                      is_kind(context, object, kItems) || is_kind(context, object, kKeys);
    if (!is_wrapper || !inner) break;
    current = context.state.read(*inner);
  }
  return current;
}

namespace {

Exits loop_step(CallContext& context) {
  const std::string& name = context.call().name;
  if (context.count() == 0) return loop_call(context);
  if (name == "loop.next")
    return is_first_of_many(context.read(0)) ? one(context, Value::unknown()) : loop_call(context);
  Value range = context.read(0);
  const Value turn = context.count() > 1 ? context.read(1) : Value::unknown();
  if (name == "loop.element") return element_of(context, range, turn, 0, kElement);
  const Value iteration = position_of(turn);
  // Numbered by the list itself, where there is one.
  Given arguments;
  Value list = iterated_list(context, range);
  if (std::optional<Value> apart = parameters_apart(context, list)) list = *apart;
  if (name == "loop.more") end_iteration_over_keys(context, list);
  const Object* object = context.state.object_of(list);
  bool is_table = object && object->kind == ObjectKind::kContainer && object->is_map;
  const bool is_empty = object && object->kind == ObjectKind::kContainer && !object->open &&
                        object->has_no_elements() && !object->find(context.name(kIsRange));
  if (name == "loop.more" && is_empty) return one(context, Value::boolean(false));
  if (name == "loop.more" && object && iteration.is(ValueKind::kInt)) {
    if (std::optional<Value> has_more = is_below_count(context, *object, iteration.number))
      return one(context, *has_more);
  }
  const Object* wrapper = context.state.object_of(range);
  bool has_entries = is_kind(context, wrapper, kItems) || is_kind(context, wrapper, kKeys);
  has_entries |= object == wrapper;
  if (is_table && has_entries && is_short_table(object)) {
    if (name == "loop.begin") return one(context, Value::integer(0));
    if (iteration.is(ValueKind::kInt))
      return one(context,
                 Value::boolean(iteration.number < static_cast<int64_t>(object->keys.size())));
  }
  arguments.add(is_table ? Value::unknown() : list, {}, 0);
  arguments.add(iteration, {}, context.count() > 1 ? 1 : Given::kMade);
  const ir::Instruction& written = context.activation.rewritten(
      context.instruction, name, ir::CallKind::kDirect, {}, arguments.sources);
  CallContext step{context.activation, context.state, written, arguments.values};
  const NumberedLoop* loop =
      name == "loop.begin" ? context.activation.numbered_loop(context.instruction) : nullptr;
  if (loop && !has_numbers(context, range)) loop = nullptr;
  // Each of few iterations is known.
  const bool is_short = loop && !loop->has_loops && object &&
                        object->find(context.name(kIsRange)) && !object->elements.empty();
  // Of as many elements as there are devices at least, each may belong to one of them.
  const bool may_be_by_device =
      name == "loop.begin" && object && object->find(context.name(kIsOfLength)) && !object->open &&
      object->elements.size() <= static_cast<size_t>(context.activation.assumed_devices());
  if (is_short || may_be_by_device) return one(context, Value::integer(0));
  Exits exits = loop_call(step);
  if (!loop || !loop->decides) return exits;
  for (Exit& exit : exits)
    if (exit.value.is(ValueKind::kUnknown)) exit.value = first_of_many();
  return exits;
}

}  // namespace

Exits begin_iteration(CallContext& context, const Value& iterable, int depth) {
  const Value direct = context.state.read(iterable);
  const Object* object = context.state.object_of(direct);
  const bool joins = is_kind(context, object, kEnumerate) || is_kind(context, object, kZip);
  if (joins && depth < 4) {
    std::vector<Value> parts = object->elements;
    if (const Value* source = source_of(context, *object)) parts.push_back(*source);
    Exits exits = one(context, iterable);
    for (const Value& part : parts) {
      Exits begun;
      for (Exit& exit : exits) {
        CallContext after{context.activation, exit.state, context.instruction, context.arguments};
        std::ranges::move(begin_iteration(after, part, depth + 1), std::back_inserter(begun));
      }
      exits = std::move(begun);
    }
    for (Exit& exit : exits) exit.value = iterable;
    return exits;
  }
  const bool is_of_program = object && object->type && !object->is_module();
  const ir::Function* begins =
      is_of_program ? method_of(context, *object->type, "__iter__") : nullptr;
  if (!begins) return one(context, iterable);
  Exits exits = call_function(context, *begins, {direct}, {});
  for (Exit& exit : exits) {
    const ObjectId self = exit.state.object_id_of(direct);
    if (self != kNoObject && exit.state.object_id_of(exit.value) != self)
      exit.state.edit(self).set(context.name(kFromIter), exit.value);
  }
  return exits;
}

Exits dynamic_loop(CallContext& context) {
  if (context.call().name != "loop.begin" || context.count() == 0) return loop_step(context);
  Exits exits;
  for (Exit& begun : begin_iteration(context, context.read(0))) {
    CallContext after{context.activation, begun.state, context.instruction, context.arguments};
    std::ranges::move(loop_step(after), std::back_inserter(exits));
  }
  return exits;
}

}  // namespace placecheck::dataflow
