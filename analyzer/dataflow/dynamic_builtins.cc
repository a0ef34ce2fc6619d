// Functions of the language, methods of its texts, lists and tables, and what loops run over.
#include <algorithm>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/scalars.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kEachKey = "each key";
constexpr std::string_view kEnumerate = "enumerate";
constexpr std::string_view kItems = "items";
constexpr std::string_view kKeys = "keys";
constexpr std::string_view kZip = "zip";
constexpr std::string_view kRange = "range";
constexpr std::string_view kLoader = "torch.utils.data.DataLoader";
constexpr std::string_view kPrefix = "module.";

Exits one(CallContext& context, const Value& value) { return single_exit(context, value); }

bool is_kind(CallContext& context, const Object* object, std::string_view kind) {
  return object && object->kind == ObjectKind::kLibrary &&
         context.activation.names().text(object->type_name) == kind;
}

const Value* source_of(CallContext& context, const Object& wrapper) {
  return wrapper.find(context.name("source"));
}

Value wrap(CallContext& context, std::string_view kind, const Value& source, uint32_t ordinal = 0) {
  Object wrapper = context.library_object(kind);
  wrapper.set(context.name("source"), source);
  return context.make(std::move(wrapper), 950 + ordinal);
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

// Of a table of which every key is known: what a variable is that runs over them.
Value each_key(CallContext& context, std::vector<Value> keys, uint32_t ordinal) {
  Object key = context.library_object(kEachKey);
  key.keys = std::move(keys);
  return context.make(std::move(key), ordinal);
}

bool has_text_keys(const Object& table) {
  return table.kind == ObjectKind::kContainer && !table.open && !table.keys.empty() &&
         table.keys.size() == table.elements.size() &&
         std::ranges::all_of(table.keys,
                             [](const Value& key) { return key.is(ValueKind::kString); });
}

// A short table is taken entry by entry.
bool is_short_table(const Object* table) {
  return table && has_text_keys(*table) && table->keys.size() <= static_cast<size_t>(kMostTurns);
}

// The entry of a short table that an iteration takes.
std::optional<size_t> entry_at(const Object* table, const Value& iteration) {
  bool is_at = iteration.is(ValueKind::kInt) && is_short_table(table) && iteration.number >= 0 &&
               iteration.number < static_cast<int64_t>(table->keys.size());
  return is_at ? std::optional(static_cast<size_t>(iteration.number)) : std::nullopt;
}

std::optional<int64_t> known_length(CallContext& context, const Value& value) {
  if (std::optional<std::string> text = context.text(value))
    return static_cast<int64_t>(text->size());
  const Object* object = context.state.object_of(value);
  if (!object) return std::nullopt;
  if (object->is_module() && object->complete)
    return static_cast<int64_t>(object->registered.size());
  if (is_list(*object) && !object->open) return static_cast<int64_t>(object->elements.size());
  return std::nullopt;
}

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
  return one(context, list);
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
  if (!known || is_long) return one(context, context.make(context.library_object(kRange)));
  std::vector<Value> numbers;
  for (int64_t i = from; i < to; ++i) numbers.push_back(Value::integer(i));
  Value range = make_list(context, std::move(numbers), ObjectKind::kContainer);
  context.state.edit(range.object).set(context.name(kIsRange), Value::boolean(true));
  return one(context, range);
}

Value copy_of_list(CallContext& context, const Value& value, ObjectKind kind) {
  const Object* object = context.state.object_of(value);
  if (object && is_kind(context, object, kItems)) return value;
  if (!object || !is_list(*object)) {
    Value element = Value::unknown();
    if (value.is(ValueKind::kParameters)) return value;
    if (object && object->is_module()) {
      std::vector<Value> children;
      children.reserve(object->registered.size());
      for (const Registered& each : object->registered) children.push_back(each.value);
      if (object->complete) return make_list(context, std::move(children), kind);
    }
    return context.make(open_list(element));
  }
  Object copy = *object;
  if (copy.is_map) {
    copy.elements = copy.keys;
    copy.keys.clear();
    copy.is_map = false;
  }
  if (!copy.open) copy.kind = kind;
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
    const Object* other = context.state.object_of(given.values[i]);
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

// The types of the language that a value has, as far as that is known; nullopt where it is not.
std::optional<bool> is_builtin(CallContext& context, const Value& value, std::string_view type) {
  static constexpr std::string_view kTypes[] = {"bool", "dict", "float", "int",
                                                "list", "set",  "str",   "tuple"};
  if (std::ranges::find(kTypes, type) == std::end(kTypes)) return std::nullopt;
  const Object* object = context.state.object_of(value);
  if (value.is_tensor() || (object && object->is_module())) return false;
  if (value.is(ValueKind::kString)) return type == "str";
  if (value.is(ValueKind::kInt)) return type == "int";
  if (value.is(ValueKind::kBool)) return type == "bool" || type == "int";
  if (!object || !is_list(*object)) return std::nullopt;
  if (object->kind == ObjectKind::kTuple) return type == "tuple";
  if (object->is_map) return type == "dict";
  // Lists, sets and tuples that grew are one kind here.
  if (type == "list" || type == "set" || type == "tuple") return std::nullopt;
  return false;
}

bool derives_from_tensor(CallContext& context, const ir::Class& type) {
  auto is_named_like_one = [](const ir::Type& base) {
    const std::string_view name = ir::last_component(base.name);
    return name.ends_with("Tensor") || name.ends_with("Parameter");
  };
  return std::ranges::any_of(lookup_order(context.activation, type), [&](const ir::Class* each) {
    return std::ranges::any_of(each->bases, is_named_like_one);
  });
}

// Whether a value is of one class; nullopt where that is not known.
std::optional<bool> is_of(CallContext& context, const Value& value, const Value& of) {
  const Object* object = context.state.object_of(value);
  std::optional<std::string> library = library_name(context, of);
  const ir::Class* type = class_of(context, of);
  constexpr std::string_view kBuiltins = "builtins.";
  if (library && library->starts_with(kBuiltins))
    return is_builtin(context, value, std::string_view(*library).substr(kBuiltins.size()));
  if (library == "torch.Tensor") return is_tensor(context, value);
  if (type && value.is_tensor() && !derives_from_tensor(context, *type)) return false;
  if (library && value.is_tensor() && library->starts_with("numpy.")) return false;
  bool is_known_module = object && object->is_module() && (object->complete || !object->type);
  if (library && is_known_module && library->ends_with("DataParallel")) {
    const std::string& own = context.activation.names().text(object->type_name);
    if (object->type) return false;
    return ir::last_component(own) == library->substr(library->rfind('.') + 1);
  }
  if (type && object && object->type && object->complete) {
    auto order = lookup_order(context.activation, *object->type);
    return std::ranges::find(order, type) != order.end();
  }
  return std::nullopt;
}

}  // namespace

std::optional<bool> is_tensor(CallContext& context, const Value& value) {
  // Who asks that of a value of which nothing is known has tensors in mind: the others have no
  // place.
  if (value.is_tensor() || value.is(ValueKind::kUnknown)) return true;
  if (value.is(ValueKind::kString) || value.is(ValueKind::kInt) || value.is(ValueKind::kBool) ||
      value.is(ValueKind::kNone))
    return false;
  const Object* object = context.state.object_of(value);
  if (!object) return std::nullopt;
  if (object->type)
    return derives_from_tensor(context, *object->type) ? std::nullopt : std::optional(false);
  return object->is_module() || is_list(*object) ? std::optional(false) : std::nullopt;
}

namespace {

Value is_instance(CallContext& context, const Given& given) {
  if (given.size() != 2) return unknown_scalar(context);
  // One of several classes.
  const Object* several = context.state.object_of(given.values[1]);
  bool is_tuple = several && several->kind == ObjectKind::kTuple;
  std::vector<Value> classes = is_tuple ? several->elements : std::vector{given.values[1]};
  bool is_decided = true;
  const Value asked = context.state.read(given.values[0]);
  bool are_other_types = true;
  bool are_arrays = true;
  bool are_tensors = true;
  for (const Value& each : classes) {
    const Value type = context.state.read(each);
    std::optional<bool> is_one = is_of(context, given.values[0], type);
    if (is_one == true) return Value::boolean(true);
    is_decided &= is_one.has_value();
    std::optional<std::string> library = library_name(context, type);
    are_other_types &= library && !library->starts_with("torch.");
    are_arrays &= library && library->starts_with("numpy.");
    are_tensors &= library == "torch.Tensor";
  }
  if (is_decided) return Value::boolean(false);
  const Value answer = unknown_scalar(context);
  // A result of arithmetic may be a number or a tensor.
  const bool may_be_tensor = asked.is(ValueKind::kSymbol);
  const bool is_guess = asked.is(ValueKind::kUnknown)
                            ? are_other_types
                            : may_be_tensor && (are_arrays || are_tensors);
  if (!is_guess || !answer.is(ValueKind::kSymbol)) return answer;
  Names& names = context.activation.names();
  const Name is_other = names.term(kIsOtherType, {answer.name});
  return Value::symbol(may_be_tensor && are_tensors ? negated(is_other, names) : is_other);
}

// hasattr(x, "module"): a wrapper has one, a module of the project that never gets one has none.
Value has_attribute(CallContext& context, const Given& given) {
  if (given.size() != 2) return unknown_scalar(context);
  std::optional<std::string> name = context.text(given.values[1]);
  const Object* object = context.state.object_of(given.values[0]);
  if (!name || !object || !object->is_module() || !object->complete) return unknown_scalar(context);
  Name field = context.name(*name);
  bool has = object->find(field) || object->find_registered(field);
  if (object->type)
    has |= find_method(context.activation, *object->type, *name).function != nullptr;
  // A wrapper hands nothing on.
  bool is_wrapper = context.activation.names().text(object->type_name).ends_with("::DataParallel");
  bool is_sure = has || *name == "module" || is_wrapper;
  return is_sure ? Value::boolean(has) : unknown_scalar(context);
}

bool takes_ends_off(std::string_view operation) {
  return operation == "removeprefix" || operation == "removesuffix" || operation == "lstrip" ||
         operation == "rstrip" || operation == "strip";
}

std::string mapped_text(const std::string& text, std::string_view operation,
                        const std::vector<std::string>& with) {
  auto strip = [&](const std::string& part) {
    return text.starts_with(part) ? text.substr(part.size()) : text;
  };
  if (operation == "removeprefix") return strip(with[0]);
  if (operation == "lstrip") return llvm::StringRef(text).ltrim(with[0]).str();
  if (operation == "rstrip") return llvm::StringRef(text).rtrim(with[0]).str();
  if (operation == "strip") return llvm::StringRef(text).trim(with[0]).str();
  if (operation == "removesuffix" && text.ends_with(with[0]))
    return text.substr(0, text.size() - with[0].size());
  if (operation == "replace" && !with[0].empty()) {
    std::string result = text;
    size_t at = 0;
    while ((at = result.find(with[0], at)) != std::string::npos) {
      result.replace(at, with[0].size(), with[1]);
      at += with[1].size();
    }
    return result;
  }
  return text;
}

// `key.lstrip("module.")` takes off each of these characters, and more than the prefix of a key
// that goes on with one of them.
void note_stripped_characters(CallContext& context, const std::vector<Value>& keys,
                              const std::string& part) {
  if (part != kPrefix) return;
  const Names& names = context.activation.names();
  for (const Value& key : keys) {
    const std::string& text = names.text(key.name);
    const std::string stripped = mapped_text(text, "lstrip", {part});
    if (!text.starts_with(part) || stripped == text.substr(part.size())) continue;
    CutTextEvent event;
    event.site = context.activation.site(context.instruction.range);
    event.part = part;
    event.eaten_key = text;
    event.left_of_it = stripped;
    context.activation.notify(event, context.state);
    return;
  }
}

// What the language does with a text that runs over the keys of a table: the same with each.
std::optional<Exits> key_method(CallContext& context, const Object& keys, std::string_view name,
                                const Given& given) {
  std::vector<std::string> with;
  for (size_t i = 1; i < given.size(); ++i) {
    std::optional<std::string> text = context.text(given.values[i]);
    if (!text) break;
    with.push_back(*text);
  }
  Names& names = context.activation.names();
  if (name == "startswith" && with.size() == 1) {
    size_t count = std::ranges::count_if(
        keys.keys, [&](const Value& key) { return names.text(key.name).starts_with(with[0]); });
    if (count == keys.keys.size()) return one(context, Value::boolean(true));
    if (count == 0) return one(context, Value::boolean(false));
    return one(context, unknown_scalar(context));
  }
  bool maps = (takes_ends_off(name) && with.size() == 1) || (name == "replace" && with.size() == 2);
  if (!maps) return one(context, unknown_scalar(context));
  if (name == "lstrip") note_stripped_characters(context, keys.keys, with[0]);
  if (name == "replace" && with[0] == kPrefix && with[1].empty()) {
    CutTextEvent event;
    event.site = context.activation.site(context.instruction.range);
    event.part = with[0];
    event.every = true;
    context.activation.notify(event, context.state);
  }
  std::vector<Value> mapped;
  mapped.reserve(keys.keys.size());
  for (const Value& key : keys.keys)
    mapped.push_back(Value::string(context.name(mapped_text(names.text(key.name), name, with))));
  return one(context, each_key(context, std::move(mapped), 955));
}

Value parts_of_text(CallContext& context, llvm::StringRef text, llvm::StringRef by) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, by);
  std::vector<Value> values;
  for (llvm::StringRef part : parts) values.push_back(Value::string(context.name(part.str())));
  return make_list(context, std::move(values), ObjectKind::kContainer);
}

std::optional<Exits> text_method(CallContext& context, std::string_view name, const Given& given) {
  std::optional<std::string> text = context.text(given.values[0]);
  if (name == "format") {
    // "cuda:{}".format(i)
    if (!text) return one(context, unknown_scalar(context));
    const size_t at = text->find("{}");
    const bool is_simple = at != std::string::npos && given.size() == 2 &&
                           text->find('{', at + 1) == std::string::npos;
    if (!is_simple) return one(context, unknown_scalar(context));
    Value part = given.values[1];
    if (!part.is(ValueKind::kString)) {
      Given number;
      number.add(part, {}, given.sources[1]);
      Exits exits = call_as(context, number, "std::to_string");
      if (exits.empty()) return exits;
      context.state = std::move(exits.front().state);
      part = exits.front().value;
    }
    Given sum;
    sum.add(Value::string(context.name(text->substr(0, at))), {}, given.sources[0]);
    sum.add(part, {}, given.sources[1]);
    return call_as(context, sum, "op.add");
  }
  if (name == "startswith" && given.size() > 1) {
    std::optional<std::string> part = context.text(given.values[1]);
    if (text && part) return one(context, Value::boolean(text->starts_with(*part)));
    return call_as(context, given, "std::basic_string::starts_with", ir::CallKind::kMethod);
  }
  if (name == "replace" && given.size() > 2) return call_as(context, given, "absl::StrReplaceAll");
  if (text && given.size() == 1 && (name == "lower" || name == "upper" || name == "strip")) {
    std::string changed = name == "lower"   ? llvm::StringRef(*text).lower()
                          : name == "upper" ? llvm::StringRef(*text).upper()
                                            : llvm::StringRef(*text).trim().str();
    return one(context, Value::string(context.name(changed)));
  }
  if (text && takes_ends_off(name) && given.size() == 2) {
    if (std::optional<std::string> part = context.text(given.values[1])) {
      if (name == "lstrip") note_stripped_characters(context, {given.values[0]}, *part);
      return one(context, Value::string(context.name(mapped_text(*text, name, {*part}))));
    }
  }
  if (name == "split" && text && given.size() == 2) {
    if (std::optional<std::string> by = context.text(given.values[1]); by && !by->empty())
      return one(context, parts_of_text(context, *text, *by));
  }
  if (name == "join" || name == "split") return one(context, Value::unknown());
  // Texts do not change: the same question has the same answer.
  std::optional<Value> answer = answer_of(name, given.values, context.activation.names());
  return one(context, answer ? *answer : unknown_scalar(context));
}

}  // namespace

namespace {

// A replica of DataParallel has its parameters as plain attributes: parameters() yields none.
bool is_without_parameters(CallContext& context, const Value& range) {
  const Value* replica = context.state.find_global(context.name(kReplicaRuns));
  if (!replica || !range.is(ValueKind::kParameters)) return false;
  return parameter_of(context.activation, context.state, range.object).place == replica->place;
}

}  // namespace

std::optional<Exits> builtin_function(CallContext& context, std::string_view name,
                                      const Given& given) {
  Value first = given.size() ? given.values[0] : Value::none();
  if (name == "len") {
    if (std::optional<int64_t> length = known_length(context, first))
      return one(context, Value::integer(*length));
    return one(context, unknown_scalar(context));
  }
  if (name == "range") return make_range(context, given);
  if (name == "enumerate") return one(context, wrap(context, kEnumerate, first));
  if (name == "zip") {
    if (std::optional<Value> columns = columns_of_rows(context, given))
      return one(context, *columns);
    Object zip = context.library_object(kZip);
    zip.elements = given.values;
    return one(context, context.make(std::move(zip)));
  }
  if (name == "list" || name == "sorted" || name == "reversed" || name == "set") {
    if (given.size() == 0) return one(context, make_list(context, {}, ObjectKind::kContainer));
    if (name == "reversed" || name == "sorted") {
      Value copy = copy_of_list(context, first, ObjectKind::kContainer);
      ObjectId id = context.state.object_id_of(copy);
      bool is_container =
          id != kNoObject && context.state.object(id).kind == ObjectKind::kContainer;
      if (is_container && name == "reversed" && !context.state.object(id).open)
        std::ranges::reverse(context.state.edit(id).elements);
      else if (is_container)
        open_container(context.state.edit(id));
      return one(context, copy);
    }
    return one(context, copy_of_list(context, first, ObjectKind::kContainer));
  }
  if (name == "tuple") return one(context, copy_of_list(context, first, ObjectKind::kTuple));
  if (name == "dict") return one(context, make_table(context, given));
  if (name == "iter") return one(context, first);
  if (name == "next") {
    if (is_without_parameters(context, first) && !given.is_tried) {
      context.activation.notify(
          ReplicaParametersEvent{context.activation.site(context.instruction.range)},
          context.state);
      return Exits();
    }
    Given range;
    range.add(first, {}, given.size() ? given.sources[0] : Given::kMade);
    range.add(Value::unknown(), {}, Given::kMade);
    return call_as(context, range, "loop.element");
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
    if (!attribute || given.size() > 2) return one(context, Value::unknown());
    return get_attribute(context, first, *attribute);
  }
  if (name == "setattr" && given.size() == 3) {
    if (std::optional<std::string> attribute = context.text(given.values[1])) {
      set_attribute(context, first, *attribute, given.values[2]);
      return one(context, Value::none());
    }
  }
  if (name == "setattr" || name == "delattr") return one(context, forget(context, given));
  if (name == "exec" || name == "eval") return one(context, forget(context, given));
  if (name == "sum" || name == "max" || name == "min") {
    Value element = first;
    const Object* list = context.state.object_of(first);
    if (given.size() == 1 && list && is_list(*list) && !list->elements.empty())
      element = context.state.read(list->elements[0]);
    return one(context,
               element.is_tensor() ? Value::tensor(Place::unknown()) : unknown_scalar(context));
  }
  if (name == "abs" || name == "round" || name == "pow")
    return one(context, first.is_tensor() ? first : unknown_scalar(context));
  if (name == "exit" || name == "quit") return Exits();
  if (name == "print") return one(context, Value::none());
  if (name == "map" || name == "filter" || name == "super" || name == "type" || name == "vars" ||
      name == "object" || name == "open" || name == "frozenset" || name == "slice")
    return one(context, Value::unknown());
  return one(context, unknown_scalar(context));
}

std::optional<Exits> container_method(CallContext& context, std::string_view name,
                                      const Given& given) {
  const Value self = given.values[0];
  if (self.is(ValueKind::kString) || self.is(ValueKind::kSymbol))
    return text_method(context, name, given);
  const Object* object = context.state.object_of(self);
  if (is_kind(context, object, kEachKey)) return key_method(context, *object, name, given);
  if (!object || !is_list(*object)) return std::nullopt;
  ObjectId id = context.state.object_id_of(self);
  Value first = given.size() > 1 ? given.values[1] : Value::none();
  if (name == "items") return one(context, wrap(context, kItems, self));
  if (name == "keys") return one(context, wrap(context, kKeys, self));
  if (name == "values") {
    Object values = *object;
    values.keys.clear();
    values.is_map = false;
    return one(context, context.make(std::move(values), 956));
  }
  if (name == "copy")
    return one(context, context.activation.copy(context.state, self, &context.instruction));
  if (name == "append" || name == "add") {
    append(context.state.edit(id), first);
    return one(context, Value::none());
  }
  if (name == "get" || name == "pop" || name == "setdefault") {
    Value found = Value::unknown();
    if (first.is(ValueKind::kString) && has_text_keys(*object)) {
      for (size_t i = 0; i < object->keys.size(); ++i) {
        if (same(object->keys[i], first)) found = context.state.read(object->elements[i]);
      }
    }
    if (name == "get" && found.is(ValueKind::kUnknown) && given.size() > 2)
      return one(context, Value::unknown());
    if (name != "get") {
      Object& table = context.state.edit(id);
      auto at =
          std::ranges::find_if(table.keys, [&](const Value& key) { return same(key, first); });
      bool is_known = first.is(ValueKind::kString) && at != table.keys.end() && !table.open;
      if (is_known && name == "pop") {
        table.elements.erase(table.elements.begin() + (at - table.keys.begin()));
        table.keys.erase(at);
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
    if (is_whole && name == "extend") {
      for (const Value& each : std::vector<Value>(more->elements))
        append(context.state.edit(id), context.state.read(each));
    } else if (is_whole && name == "update" && has_text_keys(*more)) {
      Object from = *more;
      for (size_t i = 0; i < from.keys.size(); ++i)
        append(context.state.edit(id), from.elements[i], from.keys[i]);
    } else if (name == "clear") {
      Object& list = context.state.edit(id);
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
  if (name == "to" || name == "cuda") return one(context, Value::unknown());
  return one(context, unknown_scalar(context));
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

Value iterated_list(CallContext& context, const Value& range) {
  Value current = context.state.read(range);
  for (int hops = 0; hops < 4; ++hops) {
    const Object* object = context.state.object_of(current);
    if (!object || object->kind != ObjectKind::kLibrary) break;
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

Exits plain_element(CallContext& context, const Value& range, const Value& iteration);

// A batch: what the data set has for an index, with numbers and arrays made tensors.
Value collated(CallContext& context, const Value& item, Rank rank, bool is_pinned, int depth,
               uint32_t& made) {
  Value direct = context.state.read(item);
  if (direct.is_tensor()) {
    if (is_pinned) note_host_operand(context, direct, ir::Range(), "pin_memory");
    Value tensor = context.state.decider_of(direct);
    tensor.rank = rank;
    return tensor;
  }
  const Object* object = context.state.object_of(direct);
  if (object && is_list(*object) && !object->open && depth < 4) {
    Object copy = *object;
    for (Value& each : copy.elements)
      each = collated(context, each, rank, is_pinned, depth + 1, made);
    return context.make(std::move(copy), 900 + made++);
  }
  bool is_number =
      direct.is(ValueKind::kInt) || direct.is(ValueKind::kBool) || direct.is(ValueKind::kSymbol);
  if (!is_number) return Value::unknown();
  Value tensor = Value::tensor(Place::cpu(), rank);
  tensor.origin = context.origin(OriginKind::kYielded);
  return tensor;
}

// One example or several: a loader makes batches of one unless it is told otherwise.
Rank rank_of_batches(CallContext& context, const Object& loader) {
  const Value* size = loader.find(context.name("batch_size"));
  bool is_one =
      !size || size->is(ValueKind::kNone) || (size->is(ValueKind::kInt) && size->number < 2);
  return is_one ? Rank::kNonScalar : Rank::kBatch;
}

// What the data set of a loader has for an index; unknown where that is not known. As a batch,
// what is a number there is a tensor.
Exits item_of(CallContext& context, const Value& dataset, bool in_batch) {
  Value source = context.state.read(dataset);
  const Object* object = context.state.object_of(source);
  if (object && object->type) {
    FoundMethod found = find_method(context.activation, *object->type, "__getitem__");
    if (!found.function || !found.how.empty()) return one(context, Value::unknown());
    Given index;
    index.add(unknown_scalar(context), {}, Given::kMade);
    return call_function(context, *found.function, {source}, index);
  }
  std::optional<std::string> name;
  if (object && object->kind == ObjectKind::kLibrary)
    name = context.activation.names().text(object->type_name);
  if (in_batch && name && name->starts_with("torchvision.datasets.")) {
    Value tensor = Value::tensor(Place::cpu(), Rank::kNonScalar);
    tensor.origin = context.origin(OriginKind::kYielded);
    return one(context, make_list(context, {tensor, tensor}, ObjectKind::kTuple, 957));
  }
  if (name != "torch.utils.data.TensorDataset") return one(context, Value::unknown());
  // Each tensor's examples, where that tensor is.
  std::vector<Value> parts;
  for (const Value& each : std::vector<Value>(object->elements)) {
    Value part = context.state.decider_of(each);
    part.rank = Rank::kUnknown;
    parts.push_back(part.is_tensor() ? part : Value::unknown());
  }
  return one(context, make_list(context, std::move(parts), ObjectKind::kTuple, 957));
}

// What a function of the program makes of a list of items.
Exits collated_by(CallContext& context, const Value& function, Exits items) {
  Exits exits;
  for (Exit& item : items) {
    if (item.state.read(item.value).is(ValueKind::kUnknown)) {
      exits.push_back(std::move(item));
      continue;
    }
    CallContext after{context.activation, item.state, context.instruction, context.arguments};
    Given list;
    list.add(after.make(open_list(item.value), 956), {}, Given::kMade);
    Exits made = call_value(after, function, list);
    std::ranges::move(made, std::back_inserter(exits));
  }
  return exits;
}

Exits batch_of(CallContext& context, const Object& loader) {
  const Value* dataset = loader.find(context.name("dataset"));
  const Value* collates = loader.find(context.name("collates"));
  const Value* function = loader.find(context.name("collate_fn"));
  bool is_collated = collates && collates->number != 0;
  if (!dataset || (is_collated && !function)) return one(context, Value::unknown());
  if (function) {
    const Value collate = *function;
    return collated_by(context, collate, item_of(context, Value(*dataset), false));
  }
  uint32_t made = 0;
  Rank rank = rank_of_batches(context, loader);
  const Value* pins = loader.find(context.name("pin_memory"));
  const bool is_pinned = pins && pins->is(ValueKind::kBool) && pins->number != 0;
  Exits exits = item_of(context, Value(*dataset), true);
  for (Exit& exit : exits) {
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    exit.value = collated(after, exit.value, rank, is_pinned, 0, made);
  }
  return exits;
}

Exits plain_element(CallContext& context, const Value& range, const Value& iteration) {
  Value direct = context.state.read(range);
  const Object* object = context.state.object_of(direct);
  if (is_kind(context, object, kLoader)) return batch_of(context, *object);
  if (object && object->kind == ObjectKind::kLibrary) {
    if (is_kind(context, object, kRange)) return one(context, unknown_scalar(context));
    return one(context, Value::unknown());
  }
  if (object && object->kind == ObjectKind::kContainer && object->is_map) {
    // A table is run over by its keys.
    if (std::optional<size_t> entry = entry_at(object, iteration))
      return one(context, object->keys[*entry]);
    if (has_text_keys(*object)) return one(context, each_key(context, object->keys, 958));
    return one(context, unknown_scalar(context));
  }
  if (object && object->type && !object->is_module()) return one(context, Value::unknown());
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
Value next_part(CallContext& context, const Value& range, const Value& iteration) {
  Exits exits = plain_element(context, range, iteration);
  if (exits.empty()) return Value::unknown();
  if (exits.size() > 1) {
    context.state = std::move(exits.front().state);
    return Value::unknown();
  }
  context.state = std::move(exits.front().state);
  return exits.front().value;
}

Exits element_of(CallContext& context, const Value& range, const Value& iteration, int depth) {
  Value direct = context.state.read(range);
  const Object* object = context.state.object_of(direct);
  auto position = [&] {
    return iteration.is(ValueKind::kInt) ? iteration : unknown_scalar(context);
  };
  if (depth < 4 && is_kind(context, object, kEnumerate)) {
    const Value* source = source_of(context, *object);
    Exits exits = source ? element_of(context, Value(*source), iteration, depth + 1)
                         : one(context, Value::unknown());
    Value at = position();
    for (Exit& exit : exits) {
      CallContext after{context.activation, exit.state, context.instruction, context.arguments};
      exit.value = make_list(after, {at, exit.value}, ObjectKind::kTuple, 959);
    }
    return exits;
  }
  if (is_kind(context, object, kZip)) {
    std::vector<Value> sources = object->elements, parts;
    for (const Value& source : sources) parts.push_back(next_part(context, source, iteration));
    return one(context, make_list(context, std::move(parts), ObjectKind::kTuple, 960));
  }
  if (is_kind(context, object, kKeys) || is_kind(context, object, kItems)) {
    bool with_value = is_kind(context, object, kItems);
    const Value* source = source_of(context, *object);
    Value table = source ? context.state.read(*source) : Value::unknown();
    const Object* entries = context.state.object_of(table);
    Value key = unknown_scalar(context), content = Value::unknown();
    if (std::optional<size_t> entry = entry_at(entries, iteration)) {
      key = entries->keys[*entry];
      content = context.state.read(entries->elements[*entry]);
    } else if (entries && has_text_keys(*entries)) {
      key = each_key(context, entries->keys, 958);
      entries = context.state.object_of(table);
      content = context.state.read(entries->elements[0]);
      for (const Value& each : entries->elements)
        content = join(content, context.state.read(each), 0);
    } else if (table.is(ValueKind::kParameters)) {
      content = parameter_of(context.activation, context.state, table.object);
    } else if (entries && entries->open) {
      content = context.state.read(entries->rest);
    }
    if (!with_value) return one(context, key);
    return one(context, make_list(context, {key, content}, ObjectKind::kTuple, 960));
  }
  return plain_element(context, direct, iteration);
}

}  // namespace

Exits dynamic_loop(CallContext& context) {
  const std::string& name = context.call().name;
  if (name == "loop.next" || context.count() == 0) return loop_call(context);
  Value range = context.read(0);
  Value iteration = context.read(1);
  if (name == "loop.element") return element_of(context, range, iteration, 0);
  // Numbered by the list itself, where there is one.
  Given arguments;
  Value list = iterated_list(context, range);
  const Object* object = context.state.object_of(list);
  bool is_table = object && object->kind == ObjectKind::kContainer && object->is_map;
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
  return loop_call(step);
}

// `"cuda:%d" % i`
std::optional<Exits> formatted_text(CallContext& context) {
  if (context.call().name != "op.mod" || context.count() != 2) return std::nullopt;
  const std::optional<std::string> text = context.text(context.read(0));
  if (!text) return std::nullopt;
  const size_t at = text->find('%');
  if (at == std::string::npos || at + 2 != text->size()) return std::nullopt;
  if (llvm::StringRef("dis").find((*text)[at + 1]) == llvm::StringRef::npos) return std::nullopt;
  Given part;
  part.add(context.read(1), {}, 1);
  Exits texts = call_as(context, part, "object.text");
  if (texts.size() != 1) return std::nullopt;
  context.state = std::move(texts.front().state);
  Given sum;
  sum.add(Value::string(context.name(text->substr(0, at))), {}, 0);
  sum.add(texts.front().value, {}, 1);
  return call_as(context, sum, "op.add");
}

std::optional<Value> key_operation(CallContext& context) {
  const std::string& name = context.call().name;
  if (name != "op.add" || context.count() != 2) return std::nullopt;
  const Object* a = context.state.object_of(context.read(0));
  const Object* b = context.state.object_of(context.read(1));
  bool is_left = is_kind(context, a, kEachKey), is_right = is_kind(context, b, kEachKey);
  if (is_left == is_right) return std::nullopt;
  std::optional<std::string> text = context.text(context.read(is_left ? 1 : 0));
  if (!text) return std::nullopt;
  std::vector<Value> mapped;
  for (const Value& key : (is_left ? a : b)->keys) {
    const std::string& own = context.activation.names().text(key.name);
    mapped.push_back(Value::string(context.name(is_left ? own + *text : *text + own)));
  }
  return each_key(context, std::move(mapped), 955);
}

std::optional<Value> slice_of_keys(CallContext& context, const Value& keys, int64_t from) {
  const Object* object = context.state.object_of(keys);
  if (!is_kind(context, object, kEachKey)) return std::nullopt;
  const Names& names = context.activation.names();
  bool has_prefix =
      !object->keys.empty() && std::ranges::all_of(object->keys, [&](const Value& key) {
        return names.text(key.name).starts_with(kPrefix);
      });
  // Seven letters are the prefix: of a cut that is near, it is the prefix that is meant.
  constexpr int64_t kNear = 2;
  int64_t length = static_cast<int64_t>(kPrefix.size());
  if (has_prefix && from != length && from > 0 && std::abs(from - length) <= kNear) {
    CutTextEvent event;
    event.site = context.activation.site(context.instruction.range);
    event.part = kPrefix;
    event.length = from;
    context.activation.notify(event, context.state);
  }
  std::vector<Value> mapped;
  for (const Value& key : object->keys) {
    const std::string& text = context.activation.names().text(key.name);
    size_t cut = std::min(static_cast<size_t>(from), text.size());
    mapped.push_back(Value::string(context.name(text.substr(cut))));
  }
  return each_key(context, std::move(mapped), 955);
}

std::optional<bool> keys_are_in(CallContext& context, const Value& keys, const Value& table) {
  const Object* each = context.state.object_of(keys);
  const Object* whole = context.state.object_of(table);
  bool asks = is_kind(context, each, kEachKey) && whole && has_text_keys(*whole);
  if (!asks || each->keys.empty()) return std::nullopt;
  auto is_in = [&](const Value& key) {
    return std::ranges::any_of(whole->keys, [&](const Value& other) { return same(key, other); });
  };
  if (std::ranges::all_of(each->keys, is_in)) return true;
  if (std::ranges::none_of(each->keys, is_in)) return false;
  return std::nullopt;
}

bool set_each_key(CallContext& context, ObjectId table, const Value& keys, const Value& value) {
  const Object* object = context.state.object_of(keys);
  if (!is_kind(context, object, kEachKey)) return false;
  std::vector<Value> names = object->keys;
  Object& holder = context.state.edit(table);
  if (holder.kind != ObjectKind::kContainer || holder.open) return true;
  for (const Value& name : names) {
    auto at = std::ranges::find_if(holder.keys, [&](const Value& key) { return same(key, name); });
    if (at != holder.keys.end()) {
      holder.elements[static_cast<size_t>(at - holder.keys.begin())] = value;
      continue;
    }
    holder.keys.push_back(name);
    holder.elements.push_back(value);
  }
  return true;
}

Value items_of(CallContext& context, const Value& table) { return wrap(context, kItems, table); }

}  // namespace placecheck::dataflow
