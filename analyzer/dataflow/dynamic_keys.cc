// Keys of tables that are made of parts: `outputs["disp", scale]`, `cache[n, str(device)]`,
// `cache[f"{n}/{device}"]`.
#include <algorithm>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kTuple = "tuple";
constexpr std::string_view kUnknownPart = "?";
constexpr std::string_view kDevicePart = "device ";

// A device that is known, as Python writes it.
std::optional<std::string> text_of_device(const Value& value) {
  if (!value.is(ValueKind::kDevice) || !value.place.is_known()) return std::nullopt;
  if (value.place.is_cpu()) return "cpu";
  if (value.place.kind != PlaceKind::kCuda || value.place.symbol != 0) return std::nullopt;
  if (value.place.index == Place::kCurrent) return "cuda";
  return value.place.index < 0 ? std::nullopt
                               : std::optional("cuda:" + std::to_string(value.place.index));
}

// The text of a part that is a literal, as Python writes it, or a device; of another it is
// kUnknownPart. The current device has two texts, "cuda" and that of its number.
std::string text_of_part(CallContext& context, const Value& part) {
  const Names& names = context.activation.names();
  const std::optional<std::string> device = text_of_device(part);
  if (device && *device != "cuda") return std::string(kDevicePart) + *device;
  if (part.is(ValueKind::kString) && part.number == 0) return "'" + names.text(part.name) + "'";
  if (part.is(ValueKind::kInt)) return std::to_string(part.number);
  if (part.is(ValueKind::kBool)) return part.number != 0 ? "True" : "False";
  return std::string(kUnknownPart);
}

Value part_of_text(CallContext& context, const std::string& text) {
  if (text.starts_with("'")) return Value::string(context.name(text.substr(1, text.size() - 2)));
  if (text == "True" || text == "False") return Value::boolean(text == "True");
  if (text.starts_with(kDevicePart))
    return Value::device(parse_device(text.substr(kDevicePart.size())));
  if (const auto number = context.activation.names().integer(context.name(text)))
    return Value::integer(*number);
  return Value::unknown();
}

// The parts of a text, `'/cuda:0/'` among them, or kUnknownPart.
void add_parts(Name text, Names& names, std::vector<Name>& parts) {
  if (names.is_term(text, "add")) {
    for (const Name each : std::vector<Name>(names.operands(text))) add_parts(each, names, parts);
    return;
  }
  const bool is_known = names.operands(text).empty() && names.text(text).starts_with('\'');
  parts.push_back(is_known ? text : names.intern(kUnknownPart));
}

bool names_device(const std::string& text) {
  return text.find("cuda") != std::string::npos || text.find("cpu") != std::string::npos;
}

// The parts of a text that names a device; of others, which are counters or the keys of state
// dicts, none.
std::vector<Name> parts_around_device(Name text, Names& names) {
  if (!names.is_term(text, "add")) return {};
  std::vector<Name> parts;
  add_parts(text, names, parts);
  const auto names_one = [&](Name part) { return names_device(names.text(part)); };
  return std::ranges::any_of(parts, names_one) ? parts : std::vector<Name>();
}

Value as_text_key(CallContext& context, const Value& text) {
  Names& names = context.activation.names();
  if (!text.is(ValueKind::kSymbol)) return text;
  std::vector<Name> parts = parts_around_device(text.name, names);
  if (parts.empty()) return text;
  Value key = Value::string(names.term("text", std::move(parts)));
  key.number = kPartOfTextKey;
  return key;
}

// Whether one of the parts of two keys tells them apart. Of texts, the parts that are not known are
// taken to hold nothing of what is written between them.
bool differ(const Value& a, const Value& b, const Names& names) {
  if (!is_compound_key(a) || !is_compound_key(b)) return is_tuple_key(a) || is_tuple_key(b);
  if (is_tuple_key(a) != is_tuple_key(b)) return true;
  const std::vector<Name>& first = names.operands(a.name);
  const std::vector<Name>& second = names.operands(b.name);
  if (first.size() != second.size()) return true;
  for (size_t i = 0; i < first.size(); ++i) {
    const bool is_known =
        names.text(first[i]) != kUnknownPart && names.text(second[i]) != kUnknownPart;
    if (is_known && first[i] != second[i]) return true;
  }
  return false;
}

}  // namespace

Value as_key(CallContext& context, const Value& index) {
  // A device is another key than its text, but tables have keys of one kind.
  if (const std::optional<std::string> device = text_of_device(index))
    return Value::string(context.name(*device));
  const Object* tuple = context.state.object_of(index);
  if (!tuple) return as_text_key(context, index);
  if (tuple->kind != ObjectKind::kTuple || tuple->elements.empty()) return index;
  Names& names = context.activation.names();
  std::vector<Name> parts;
  size_t unknown = 0;
  for (const Value& each : tuple->elements) {
    const std::string text = text_of_part(context, context.state.read(each));
    unknown += text == kUnknownPart;
    parts.push_back(names.intern(text));
  }
  if (unknown == parts.size()) return index;
  Value key = Value::string(names.term(kTuple, std::move(parts)));
  key.number = unknown == 0 ? kTupleKey : kPartOfTupleKey;
  return key;
}

std::optional<Value> tuple_of_key(CallContext& context, const Value& key) {
  if (!is_tuple_key(key)) return std::nullopt;
  Names& names = context.activation.names();
  std::vector<Value> parts;
  for (const Name part : std::vector<Name>(names.operands(key.name)))
    parts.push_back(part_of_text(context, names.text(part)));
  return make_list(context, std::move(parts), ObjectKind::kTuple, 986);
}

std::optional<Name> text_around_device(Name text, Name unknown, Names& names) {
  std::optional<Name> sum;
  for (const Name part : parts_around_device(text, names)) {
    const Name each = names.text(part) == kUnknownPart ? unknown : part;
    sum = sum ? names.term("add", {*sum, each}) : each;
  }
  return sum;
}

std::optional<bool> has_compound_key(CallContext& context, const Object& table, const Value& key) {
  if (!is_compound_key(key) || !is_list(table) || table.open) return std::nullopt;
  const Names& names = context.activation.names();
  const auto may_be_it = [&](const Value& each) { return !differ(each, key, names); };
  if (std::ranges::none_of(table.keys, may_be_it)) return false;
  const bool is_there =
      key.number == kTupleKey && !table.may_lack_keys &&
      std::ranges::any_of(table.keys, [&](const Value& each) { return same(each, key); });
  return is_there ? std::optional(true) : std::nullopt;
}

bool set_compound_key(CallContext& context, Object& table, const Value& key, const Value& value) {
  if (!is_compound_key(key) || table.open) return false;
  const Names& names = context.activation.names();
  bool is_there = false;
  for (size_t i = 0; i < table.keys.size(); ++i) {
    if (differ(table.keys[i], key, names)) continue;
    const bool is_it = same(table.keys[i], key);
    is_there |= is_it;
    const bool is_only_one = is_it && key.number == kTupleKey;
    table.elements[i] = is_only_one ? value : join(table.elements[i], value, 0);
  }
  if (!is_there) append(table, value, key);
  return true;
}

std::optional<Value> item_of_compound_key(CallContext& context, const Object& table,
                                          const Value& key) {
  if (!is_compound_key(key) || table.open) return std::nullopt;
  const Names& names = context.activation.names();
  std::optional<Value> item;
  for (size_t i = 0; i < table.keys.size(); ++i) {
    if (differ(table.keys[i], key, names)) continue;
    const Value each = context.state.read(table.elements[i]);
    item = item ? join(*item, each, 0) : each;
  }
  return item;
}

}  // namespace placecheck::dataflow
