// Texts, and the texts that stand for each key of a table.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/dataflow/text_terms.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kEachKey = "each key";
constexpr std::string_view kPrefix = "module.";
// Of an open table that a loop runs over: the key of the current iteration.
constexpr std::string_view kKeyOfIteration = "<key of the iteration>";

// What some entry of a table is, once a loop may have changed it. It is opaque, so that it differs
// from an unknown value of a data loader, which is taken for a tensor on the CPU.
Value some_entry(Names& names) {
  return Value::opaque(lost_identity(names.intern("an entry of a table"), names));
}

bool takes_ends_off(std::string_view operation) {
  return operation == "removeprefix" || operation == "removesuffix" || operation == "lstrip" ||
         operation == "rstrip" || operation == "strip";
}

// `most`: how many occurrences are replaced.
std::string mapped_text(const std::string& text, std::string_view operation,
                        const std::vector<std::string>& with,
                        int64_t most = std::numeric_limits<int64_t>::max()) {
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
    while ((at = result.find(with[0], at)) != std::string::npos && most-- > 0) {
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

// Seven letters are the prefix: of a cut that is near, it is the prefix that is meant.
void note_cut_of_prefix(CallContext& context, int64_t from) {
  constexpr int64_t kNear = 2;
  const int64_t length = static_cast<int64_t>(kPrefix.size());
  if (from == length || from <= 0 || std::abs(from - length) > kNear) return;
  CutTextEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.part = kPrefix;
  event.length = from;
  context.activation.notify(event, context.state);
}

// `replace("module", "")` leaves the dot.
void note_replaced_word(CallContext& context, std::string_view part, std::string_view by) {
  const std::string_view word = kPrefix.substr(0, kPrefix.size() - 1);
  if (part == word && by.empty()) note_cut_of_prefix(context, static_cast<int64_t>(word.size()));
}

Value parts_of_text(CallContext& context, llvm::StringRef text, llvm::StringRef by) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, by);
  std::vector<Value> values;
  for (llvm::StringRef part : parts) values.push_back(Value::string(context.name(part.str())));
  return make_list(context, std::move(values), ObjectKind::kContainer);
}

// `by.join(parts)` of a list that is known; nothing for others.
std::optional<std::string> joined_text(CallContext& context, const std::string& by,
                                       const Value& parts) {
  const Object* list = context.state.object_of(parts);
  if (!list || list->open || list->is_map || !is_list(*list)) return std::nullopt;
  std::vector<std::string> texts;
  for (const Value& each : list->elements) {
    const std::optional<std::string> text = context.text(context.state.read(each));
    if (!text) return std::nullopt;
    texts.push_back(*text);
  }
  return llvm::join(texts, by);
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
    if (count == 0) {
      std::vector<std::string> spelled;
      for (const Value& key : keys.keys) spelled.push_back(names.text(key.name));
      note_missed_beginning(context, spelled, with[0]);
      return one(context, Value::boolean(false));
    }
    return one(context, unknown_scalar(context));
  }
  const bool replaces = name == "replace" && with.size() == 2;
  const std::optional<size_t> count = replaces ? given.find("count", 3) : std::nullopt;
  const bool is_counted =
      count && given.values[*count].is(ValueKind::kInt) && given.values[*count].number >= 0;
  const bool maps =
      (takes_ends_off(name) && with.size() == 1) || (replaces && !count) || is_counted;
  if (!maps) return one(context, unknown_scalar(context));
  const int64_t most =
      is_counted ? given.values[*count].number : std::numeric_limits<int64_t>::max();
  if (name == "lstrip") note_stripped_characters(context, keys.keys, with[0]);
  // The first occurrence in the key of a wrapped module is the prefix.
  if (replaces && !(is_counted && most <= 1) && with[0] == kPrefix && with[1].empty()) {
    CutTextEvent event;
    event.site = context.activation.site(context.instruction.range);
    event.part = with[0];
    event.every = true;
    context.activation.notify(event, context.state);
  }
  const bool is_wrapped = std::ranges::any_of(
      keys.keys, [&](const Value& key) { return names.text(key.name).starts_with(kPrefix); });
  if (replaces && is_wrapped) note_replaced_word(context, with[0], with[1]);
  std::vector<Value> mapped;
  mapped.reserve(keys.keys.size());
  for (const Value& key : keys.keys)
    mapped.push_back(
        Value::string(context.name(mapped_text(names.text(key.name), name, with, most))));
  return one(context, each_key(context, std::move(mapped), 955));
}

template <typename IsKnown>
bool has_all_keys(const Object& table, IsKnown is_known) {
  return table.kind == ObjectKind::kContainer && !table.open && !table.keys.empty() &&
         table.keys.size() == table.elements.size() && std::ranges::all_of(table.keys, is_known);
}

}  // namespace

bool has_text_keys(const Object& table) {
  return has_all_keys(table, [](const Value& key) { return key.is(ValueKind::kString); });
}

bool has_literal_keys(const Object& table) {
  return has_all_keys(table, [](const Value& key) {
    return key.is(ValueKind::kString) || key.is(ValueKind::kInt);
  });
}

// Of a table of which every key is known: what a variable is that runs over them.
Value each_key(CallContext& context, std::vector<Value> keys, uint32_t ordinal) {
  Object key = context.library_object(kEachKey);
  key.keys = std::move(keys);
  return context.make(std::move(key), ordinal);
}

namespace {

// `"cuda:{}".format(i)`: the texts of the operands between those that are written. Other fields
// than
// `{}` are not followed.
Exits format_text(CallContext& context, const std::optional<std::string>& text,
                  const Given& given) {
  llvm::SmallVector<llvm::StringRef> written;
  if (text) llvm::StringRef(*text).split(written, "{}");
  const bool has_other_fields = text && llvm::join(written, "").find('{') != std::string::npos;
  if (!text || has_other_fields || written.size() != given.size() || given.is_open)
    return one(context, unknown_scalar(context));
  Value sum = Value::string(context.name(written[0].str()));
  const auto add = [&](const Value& part, size_t source) {
    Given operands;
    operands.add(sum, {}, given.sources[0]);
    operands.add(part, {}, source);
    Exits sums = call_as(context, operands, "op.add");
    if (sums.size() != 1) return false;
    context.state = std::move(sums.front().state);
    sum = sums.front().value;
    return true;
  };
  for (size_t i = 1; i < given.size(); ++i) {
    Given operand;
    operand.add(given.values[i], {}, given.sources[i]);
    Exits texts = call_as(context, operand, "object.text");
    if (texts.size() != 1) return one(context, unknown_scalar(context));
    context.state = std::move(texts.front().state);
    const bool is_followed = add(texts.front().value, given.sources[i]) &&
                             (written[i].empty() ||
                              add(Value::string(context.name(written[i].str())), given.sources[0]));
    if (!is_followed) return one(context, unknown_scalar(context));
  }
  return one(context, sum);
}

// What is before the separator, the separator, and what is behind it: `text.partition(by)`.
Value partitioned_text(CallContext& context, llvm::StringRef text, llvm::StringRef by,
                       bool from_end) {
  const size_t at = from_end ? text.rfind(by) : text.find(by);
  std::array<llvm::StringRef, 3> parts{text, "", ""};
  if (from_end) std::swap(parts[0], parts[2]);
  if (at != llvm::StringRef::npos) parts = {text.substr(0, at), by, text.substr(at + by.size())};
  std::vector<Value> values;
  for (llvm::StringRef part : parts) values.push_back(Value::string(context.name(part.str())));
  return make_list(context, std::move(values), ObjectKind::kTuple, 965);
}

Exits replaced_text(CallContext& context, const std::optional<std::string>& text,
                    const Given& given) {
  Exits exits = call_as(context, given, "absl::StrReplaceAll");
  const std::optional<std::string> part = context.text(given.values[1]);
  const std::optional<std::string> by = context.text(given.values[2]);
  if (!text || !part || !by || part->empty() || given.size() != 3 || exits.size() != 1)
    return exits;
  CallContext after{context.activation, exits[0].state, context.instruction, context.arguments};
  if (text->starts_with(kPrefix)) note_replaced_word(after, *part, *by);
  exits[0].value = Value::string(context.name(mapped_text(*text, "replace", {*part, *by})));
  return exits;
}

}  // namespace

// `f"cuda:{rank}".split(":")`: the first part is known, and there are more.
static std::optional<Value> parts_behind_beginning(CallContext& context, const Given& given) {
  const std::optional<std::string> by = context.text(given.values[1]);
  const TextPattern pattern(given.values[0], context.activation.names());
  const size_t end = by && !by->empty() ? pattern.beginning().find(*by) : std::string_view::npos;
  if (end == std::string_view::npos) return std::nullopt;
  Object parts = open_list(unknown_scalar(context));
  parts.elements.push_back(Value::string(context.name(pattern.beginning().substr(0, end))));
  return context.make(std::move(parts));
}

// A text, or those of a tuple; none where one of them is not known.
static std::vector<std::string> texts_in(CallContext& context, const Value& given) {
  std::vector<Value> values{given};
  const Object* tuple = context.state.object_of(given);
  if (tuple && is_list(*tuple) && !tuple->open && !tuple->is_map) values = tuple->elements;
  std::vector<std::string> texts;
  for (const Value& each : values) {
    std::optional<std::string> text = context.text(context.state.read(each));
    if (!text) return {};
    texts.push_back(std::move(*text));
  }
  return texts;
}

// Whether a text begins with one of `parts`; nothing where that is not known.
static std::optional<bool> begins_with_one_of(CallContext& context, const Value& text,
                                              const std::vector<std::string>& parts) {
  const TextPattern pattern(text, context.activation.names());
  bool is_known = !parts.empty();
  for (const std::string& part : parts) {
    const std::optional<bool> begins = pattern.begins_with(part);
    if (begins == true) return true;
    is_known &= begins.has_value();
  }
  return is_known ? std::optional(false) : std::nullopt;
}

std::optional<Exits> text_method(CallContext& context, std::string_view name, const Given& given) {
  const Value self = given.values[0];
  const Object* object = context.state.object_of(self);
  if (is_kind(context, object, kEachKey)) return key_method(context, *object, name, given);
  if (!self.is(ValueKind::kString) && !self.is(ValueKind::kSymbol)) return std::nullopt;
  std::optional<std::string> text = context.text(given.values[0]);
  if (name == "format") return format_text(context, text, given);
  if (name == "startswith" && given.size() > 1) {
    const std::vector<std::string> parts = texts_in(context, given.values[1]);
    note_asked_beginnings(context, self, parts);
    if (const std::optional<bool> begins = begins_with_one_of(context, self, parts))
      return one(context, Value::boolean(*begins));
    return call_as(context, given, "std::basic_string::starts_with", ir::CallKind::kMethod);
  }
  if (name == "endswith" && text && given.size() == 2) {
    if (const std::optional<std::string> part = context.text(given.values[1]))
      return one(context, Value::boolean(text->ends_with(*part)));
  }
  if (name == "replace" && given.size() > 2) return replaced_text(context, text, given);
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
  const bool is_split_once =
      given.size() == 3 && given.values[2].is(ValueKind::kInt) && given.values[2].number > 0;
  if (name == "split" && (given.size() == 2 || is_split_once)) {
    if (const std::optional<Value> parts = parts_behind_beginning(context, given))
      return one(context, *parts);
  }
  if ((name == "partition" || name == "rpartition") && text && given.size() == 2) {
    if (std::optional<std::string> by = context.text(given.values[1]); by && !by->empty())
      return one(context, partitioned_text(context, *text, *by, name == "rpartition"));
  }
  if (name == "join" && text && given.size() == 2) {
    if (std::optional<std::string> joined = joined_text(context, *text, given.values[1]))
      return one(context, Value::string(context.name(*joined)));
  }
  if (name == "join" || name == "split") return one(context, Value::unknown());
  // Texts do not change: the same question has the same answer.
  std::optional<Value> answer = answer_of(name, given.values, context.activation.names());
  return one(context, answer ? *answer : unknown_scalar(context));
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

std::optional<Value> path_operation(CallContext& context) {
  const bool divides = context.call().name == "op.div" && context.count() == 2;
  if (!divides || !is_dynamic(context.activation.function())) return std::nullopt;
  Given parts;
  for (size_t i = 0; i < 2; ++i) parts.add(context.read(i), {}, i);
  const bool is_path = std::ranges::any_of(
      parts.values, [&](const Value& part) { return part.is(ValueKind::kString); });
  return is_path ? std::optional(path_of(context, parts)) : std::nullopt;
}

// The keys that a list, a set or a view of a table holds, where all are known texts.
static std::optional<std::set<Name>> keys_in(CallContext& context, const Value& value) {
  const Object* object = context.state.object_of(value);
  if (!object) return std::nullopt;
  std::vector<Value> keys;
  if (const std::optional<Value> table = table_of_keys(context, *object)) {
    const Object* whole = context.state.object_of(*table);
    if (whole && has_text_keys(*whole)) keys = whole->keys;
  } else if (is_list(*object) && !object->is_map) {
    const Value all = object->open && object->elements.empty()        ? object->rest
                      : !object->open && object->elements.size() == 1 ? object->elements[0]
                                                                      : Value::unknown();
    const Object* each = context.state.object_of(all);
    keys = is_kind(context, each, kEachKey) ? each->keys : object->elements;
    if (object->open && keys.empty()) return std::nullopt;
  }
  std::set<Name> names;
  for (const Value& key : keys) {
    if (!key.is(ValueKind::kString)) return std::nullopt;
    names.insert(key.name);
  }
  return names.empty() ? std::nullopt : std::optional(std::move(names));
}

std::optional<Value> key_operation(CallContext& context) {
  const std::string& name = context.call().name;
  if ((name == "op.eq" || name == "op.ne") && context.count() == 2) {
    const std::optional<std::set<Name>> one = keys_in(context, context.read(0));
    const std::optional<std::set<Name>> other =
        one ? keys_in(context, context.read(1)) : std::nullopt;
    return other ? std::optional(Value::boolean((one == other) == (name == "op.eq")))
                 : std::nullopt;
  }
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

// How many characters there are between the bounds of a slice; nothing where that is not known.
static std::optional<Value> length_of_slice(const Value& from, const Value& to) {
  const bool are_known = from.is(ValueKind::kInt) && to.is(ValueKind::kInt);
  if (are_known) return Value::integer(std::max<int64_t>(to.number - from.number, 0));
  return from.is(ValueKind::kInt) && from.number == 0 ? std::optional(to) : std::nullopt;
}

Exits slice_of_text(CallContext& context, const Value& text, const Object& slice) {
  const std::optional<std::string> whole = context.text(text);
  const auto bound = [&](std::string_view which) -> std::optional<Value> {
    const Value* given = slice.find(context.name(which));
    if (!given || given->is(ValueKind::kNone)) return std::nullopt;
    Value bound = *given;
    if (whole && bound.is(ValueKind::kInt) && bound.number < 0)
      bound.number = std::max<int64_t>(bound.number + static_cast<int64_t>(whole->size()), 0);
    return bound;
  };
  const auto is_counted_from_end = [](const Value& bound) {
    return bound.is(ValueKind::kInt) && bound.number < 0;
  };
  const Value from = bound("from").value_or(Value::integer(0));
  const std::optional<Value> to = bound("to");
  const std::optional<Value> length = to ? length_of_slice(from, *to) : std::nullopt;
  if (is_counted_from_end(from) || (to && (!length || is_counted_from_end(*to))) || bound("step"))
    return one(context, context.activation.fresh_symbol(context.instruction, context.state));
  if (whole && whole->starts_with(kPrefix) && !to && from.is(ValueKind::kInt))
    note_cut_of_prefix(context, from.number);
  Given arguments;
  arguments.add(text, {}, 0);
  arguments.add(from, {}, Given::kMade);
  if (length) arguments.add(*length, {}, Given::kMade);
  return call_as(context, arguments, "std::basic_string::substr", ir::CallKind::kMethod);
}

std::optional<Value> slice_of_keys(CallContext& context, const Value& keys, int64_t from) {
  const Object* object = context.state.object_of(keys);
  if (!is_kind(context, object, kEachKey)) return std::nullopt;
  const Names& names = context.activation.names();
  bool has_prefix =
      !object->keys.empty() && std::ranges::all_of(object->keys, [&](const Value& key) {
        return names.text(key.name).starts_with(kPrefix);
      });
  if (has_prefix) note_cut_of_prefix(context, from);
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

Value key_of_iteration(CallContext& context, const Value& table) {
  const Value key = unknown_scalar(context);
  const ObjectId id = context.state.object_id_of(table);
  if (id == kNoObject || !context.state.object(id).open) return key;
  const bool is_whole = context.activation.takes_all_elements(context.instruction);
  context.state.edit(id).set(context.name(kKeyOfIteration), is_whole ? key : Value::boolean(false));
  return key;
}

void end_iteration_over_keys(CallContext& context, const Value& table) {
  const ObjectId id = context.state.object_id_of(table);
  const Name own = context.name(kKeyOfIteration);
  if (id != kNoObject && context.state.object(id).find(own))
    context.state.edit(id).set(own, Value::none());
}

void doubt_tables_of_iterations(State& state, Names& names) {
  const Name own = names.intern(kKeyOfIteration);
  for (ObjectId id = 0; id < state.object_count(); ++id) {
    const bool is_table = state.has(id) && state.object(id).is_map && state.object(id).open;
    const Value* key = is_table ? state.object(id).find(own) : nullptr;
    if (!key || key->is(ValueKind::kNone)) continue;
    Object& table = state.edit(id);
    table.set(own, Value::none());
    table.rest = some_entry(names);
  }
}

bool set_each_key(CallContext& context, ObjectId table, const Value& keys, const Value& value) {
  const Value* own = context.state.object(table).find(context.name(kKeyOfIteration));
  if (own && !own->is(ValueKind::kNone) && context.state.object(table).open) {
    const bool is_each = keys.has_identity() && same(*own, keys);
    Object& holder = context.state.edit(table);
    holder.elements.clear();
    holder.rest = is_each ? value : some_entry(context.activation.names());
    return true;
  }
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

}  // namespace placecheck::dataflow
