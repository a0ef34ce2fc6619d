// Arrays and lists of a known length, and those whose elements are records: each element is an
// object of its own, made when it is first named where the length is not known.
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kSize = "size";
constexpr std::string_view kElement = "element";
// Of the elements that are made one by one.
constexpr uint32_t kObjectsPerElement = 64;
// Of a row that stands for each one.
constexpr uint32_t kAnyRow = 1U << 20;

bool is_object(const State& state, const Value& value, ObjectKind kind) {
  return value.is_object() && state.has(value.object) && state.object(value.object).kind == kind;
}

bool is_record(const State& state, const Value& value) {
  return is_object(state, value, ObjectKind::kRecord);
}

bool holds_numbers(const ir::Type& type) {
  return !type.arguments.empty() && type.arguments[0].kind == ir::TypeKind::kInt;
}

// What an element is that nothing was stored in: numbers count from nought.
Value nothing_of(const ir::Type& type) {
  return holds_numbers(type) ? Value::integer(0) : Value::none();
}

bool holds_pointers(const ir::Type& type) {
  return !type.arguments.empty() && type.arguments[0].kind == ir::TypeKind::kPointer;
}

// What is stored in one of its elements is known to be in that one.
bool keeps_elements_apart(const ir::Type& type) {
  return holds_pointers(type) ||
         (!type.arguments.empty() && type.arguments[0].kind == ir::TypeKind::kTensor);
}

std::optional<int64_t> short_length(const Value& size) {
  if (!size.is(ValueKind::kInt) || size.number < 1 || size.number > kMostTurns) return std::nullopt;
  return size.number;
}

// Fills `list` up to `length` with copies of `element`.
void fill(CallContext& context, Object& list, int64_t length, const Value& element) {
  for (int64_t i = static_cast<int64_t>(list.elements.size()); i < length; ++i) {
    auto first = static_cast<uint32_t>(i + 1) * kObjectsPerElement;
    bool copies = is_record(context.state, element);
    list.elements.push_back(
        copies ? context.activation.copy(context.state, element, &context.instruction, first)
               : element);
  }
}

bool is_empty_element(const State& state, const Value& address) {
  return address.is(ValueKind::kAddress) && !address.taken && state.has(address.object) &&
         state.object(address.object).kind == ObjectKind::kContainer &&
         state.read(address).is(ValueKind::kNone);
}

// 0 where it is not known. A list for all devices is looked at as one for those that there are at
// least, as a loop is.
size_t known_length(CallContext& context, const Object& list) {
  if (!list.open || !list.elements.empty()) return list.open ? 0 : list.elements.size();
  const Value* size = list.find(context.name(kSize));
  if (!size) return 0;
  if (is_device_count(*size, context.activation.names()))
    return static_cast<size_t>(context.activation.assumed_devices());
  return static_cast<size_t>(short_length(*size).value_or(0));
}

}  // namespace

Value make_array(CallContext& context) {
  size_t size = context.named(kSize);
  size_t element = context.named(kElement);
  const ir::Type& type = context.call().type;
  Object array = open_list(Value::none());
  array.origin = context.origin(OriginKind::kAllocated);
  array.is_pointee = type.kind == ir::TypeKind::kPointer;
  for (size_t i = 0; i < context.count(); ++i) {
    if (i != size && i != element) array.elements.push_back(context.read(i));
  }
  if (!array.elements.empty()) array.rest = nothing_of(type);
  if (element < context.count()) array.rest = context.read(element);
  std::optional<int64_t> length = short_length(context.read(size));
  bool is_separate = keeps_elements_apart(type) || is_record(context.state, array.rest);
  if (length && is_separate) {
    fill(context, array, *length, array.rest);
    array.open = false;
    array.rest = Value::none();
  }
  return context.make(std::move(array));
}

Value make_sized_list(CallContext& context) {
  Object list;
  list.kind = ObjectKind::kContainer;
  list.open = true;
  size_t element = context.named(kElement);
  bool is_separate = keeps_elements_apart(context.call().type) || element < context.count();
  if (element < context.count()) {
    list.rest = context.read(element);
  } else if (context.count() > 1) {
    list.rest = context.read(1);
  } else if (is_separate) {
    list.rest = Value::none();
  }
  std::optional<int64_t> length = short_length(context.read(0));
  if (length && is_separate) {
    fill(context, list, *length, list.rest);
    list.open = false;
    list.rest = Value::none();
  } else if (holds_numbers(context.call().type)) {
    list.set(context.name(kSize), context.read(0));
    list.length = context.read(0);
  }
  return context.make(std::move(list));
}

void number_elements(CallContext& context) {
  const Value first = context.arguments[0];
  Value start = context.read(2);
  bool is_list = first.is(ValueKind::kAddress) && context.state.has(first.object) &&
                 context.state.object(first.object).kind == ObjectKind::kContainer;
  if (!is_list) return;
  size_t length = known_length(context, context.state.object(first.object));
  Object& list = context.state.edit(first.object);
  open_container(list);
  list.rest = Value::unknown();
  if (length == 0 || !start.is(ValueKind::kInt)) return;
  list.open = false;
  list.rest = Value::none();
  for (size_t i = 0; i < length; ++i)
    list.elements.push_back(Value::integer(start.number + static_cast<int64_t>(i)));
}

// A pointer into an array, further on or further back: the same memory. Of an array of pointers it
// is the address of one of them.
std::optional<Value> moved_pointer(CallContext& context, std::string_view operation) {
  if (operation != "op.add" && operation != "op.sub") return std::nullopt;
  auto array_at = [&](size_t i) -> std::optional<Value> {
    const Value& argument = context.arguments[i];
    bool is_data =
        argument.is(ValueKind::kAddress) && argument.taken && argument.path == Value::kEachElement;
    if (is_data) return argument;
    Value value = context.read(i);
    const Object* object = context.state.object_of(value);
    bool leads_there = value.is_pointer() || (object && object->kind == ObjectKind::kContainer);
    return leads_there ? std::optional<Value>(value) : std::nullopt;
  };
  if (context.count() != 2) return std::nullopt;
  std::optional<Value> first = array_at(0), second = array_at(1);
  if (first && second) return std::nullopt;
  Value number = context.read(first ? 1 : 0);
  bool is_position = number.is(ValueKind::kInt) || number.is(ValueKind::kSymbol);
  if (operation == "op.add" && holds_pointers(context.call().type) && is_position) {
    Value element = element_address(context.state, first ? *first : *second, number,
                                    context.activation.names());
    element.taken = element.is(ValueKind::kAddress);
    if (element.taken) return element;
  }
  return first || operation == "op.sub" ? first : second;
}

// The elements up to `index` of a list whose further elements are all like one record, or one row.
void Activation::separate_elements(State& state, const Value& container, const Value& index) {
  ObjectId id = state.object_id_of(container);
  if (id == kNoObject || !index.is(ValueKind::kInt) || index.number < 0) return;
  const Object& list = state.object(id);
  bool is_list = list.kind == ObjectKind::kContainer && list.open && list.keys.empty();
  if (!is_list || list.symbol != 0 || index.number > kMostTurns) return;
  const bool is_row = is_object(state, list.rest, ObjectKind::kContainer);
  const bool is_alike = is_record(state, list.rest) && state.object(list.rest.object).complete;
  if (!is_row && !is_alike) return;
  const Value element = list.rest;
  while (static_cast<int64_t>(state.object(id).elements.size()) <= index.number) {
    auto position = static_cast<uint32_t>(state.object(id).elements.size());
    Value made = copy(state, element, &layout_, (position + 1) * kObjectsPerElement, id + 1);
    state.edit(id).elements.push_back(made);
  }
}

// A field of an element that nothing was stored in, in memory that says nothing of its type.
void Activation::fill_element(State& state, const Value& address) {
  if (!is_empty_element(state, address) || address.path < 0) return;
  Object record;
  record.complete = false;
  auto position = static_cast<uint32_t>(address.path);
  ObjectId id = allocate(&layout_, position, address.object + 1);
  state.put(id, std::move(record));
  assign(state, address, Value::object_ref(id));
}

// The row `table[i]` of `table[i][j]`, where nothing was stored in it yet.
void Activation::fill_row(State& state, const Value& address) {
  const bool is_known = address.path >= 0 || address.path == Value::kSomeElement;
  if (!is_empty_element(state, address) || !is_known) return;
  auto position = address.path < 0 ? kAnyRow : static_cast<uint32_t>(address.path);
  ObjectId id = allocate(&layout_, position, address.object + 1);
  state.put(id, open_list(Value::none()));
  assign(state, address, Value::object_ref(id));
}

}  // namespace placecheck::dataflow
