// Texts: device names, paths and keys as they are put together and taken apart.
#include <algorithm>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/dataflow/text_terms.h"
#include "rules/prefix_strip_anywhere.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

bool append_text(CallContext& context) {
  if (context.count() != 2) return false;
  Activation& activation = context.activation;
  std::optional<Value> sum = prefixed_key(context, context.read(0), context.read(1));
  if (!sum)
    sum = evaluate("op.add", context.read(0), context.read(1), activation.names(),
                   activation.assumed_devices());
  bool is_text = sum && (sum->is(ValueKind::kString) || sum->is(ValueKind::kSymbol) ||
                         sum->is(ValueKind::kObject));
  if (!is_text) return false;
  activation.assign(context.state, context.arguments[0], *sum);
  return true;
}

// A question about a text that is not known: the answer is a symbol that says what was asked.
Value answer(CallContext& context, std::string_view question, const std::string& part) {
  std::string key(question);
  key += "<'";
  key += part;
  key += "'>";
  Name symbol = context.name(key);
  context.activation.renew(symbol, context.state);
  return Value::symbol(symbol);
}

constexpr std::string_view kPosition = "position of";
constexpr std::string_view kBeginning = "begins with";
constexpr std::string_view kDifference = "difference from";
constexpr std::string_view kFirstLetters = "first letters";

std::optional<std::string> between(std::string_view key, std::string_view before,
                                   std::string_view after) {
  bool fits =
      key.size() >= before.size() + after.size() && key.starts_with(before) && key.ends_with(after);
  if (!fits) return std::nullopt;
  return std::string(key.substr(before.size(), key.size() - before.size() - after.size()));
}

// What a text begins with, where the answer to the question is yes.
std::optional<std::string> asked_beginning(std::string_view key) {
  for (std::string_view question : {kPosition, kDifference}) {
    std::string before = "eq(0," + std::string(question) + "<'";
    if (auto part = between(key, before, "'>)")) return part;
  }
  if (auto part = between(key, std::string(kBeginning) + "<'", "'>")) return part;
  size_t end = key.find("'," + std::string(kFirstLetters));
  bool compares = key.starts_with("eq('") && end != std::string_view::npos;
  return compares ? std::optional(std::string(key.substr(4, end - 4))) : std::nullopt;
}

// What a path has made sure that the text at hand begins with.
std::optional<std::string> tested_beginning(const State& state, const Names& names) {
  for (const auto& [condition, holds] : state.assumptions) {
    if (!holds) continue;
    if (auto part = asked_beginning(names.text(condition))) return part;
  }
  return std::nullopt;
}

void notify_cut(CallContext& context, CutTextEvent event) {
  event.site = context.activation.site(context.instruction.range);
  context.activation.notify(event, context.state);
}

// Letters are cut off at the beginning: `rest` is where what remains begins.
void cut_beginning(CallContext& context, const Value& rest) {
  if (!rest.is(ValueKind::kInt) || rest.number == 0) return;
  std::optional<std::string> part = tested_beginning(context.state, context.activation.names());
  if (!part) return;
  CutTextEvent event;
  event.part = *part;
  event.length = rest.number;
  notify_cut(context, std::move(event));
}

// Where a part was found, and how much is cut off with it: "position of<'x'>", or that plus 2.
void cut_after_position(CallContext& context, const Value& rest) {
  if (!rest.is(ValueKind::kSymbol)) return;
  std::string_view key = context.activation.names().text(rest.name);
  std::string before = "add(" + std::string(kPosition) + "<'";
  size_t end = key.find("'>,");
  if (!key.starts_with(before) || end == std::string_view::npos || !key.ends_with(")")) return;
  std::string digits(key.substr(end + 3, key.size() - end - 4));
  bool is_number =
      !digits.empty() && digits.size() < 9 &&
      std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number) return;
  CutTextEvent event;
  event.part = std::string(key.substr(before.size(), end - before.size()));
  event.length = std::stoll(digits);
  notify_cut(context, std::move(event));
}

// A question about one of a module's names that is not answered for all alike: from here on the
// path goes on with some of them.
void lose_key(CallContext& context) {
  Names& names = context.activation.names();
  if (std::optional<KeySet> keys = key_set_of(context.state, context.arguments[0], names))
    forget_keys(context.state, keys->module, names);
}

// Of a name of a module's tensors, `count` characters, or all where that is negative.
std::optional<Value> part_of_key(CallContext& context, const Value& text, const Value& from,
                                 const Value& count) {
  Names& names = context.activation.names();
  std::optional<KeySet> keys = key_set_of(context.state, text, names);
  bool is_known = from.is(ValueKind::kInt) && from.number >= 0 && count.is(ValueKind::kInt);
  if (!keys || !is_known) return std::nullopt;
  std::optional<KeySet> part =
      keys->part(static_cast<size_t>(from.number),
                 count.number < 0 ? std::string::npos : static_cast<size_t>(count.number));
  if (!part) return std::nullopt;
  return key_of(context, *part, 820);
}

// Of a text of which the beginning is known.
std::optional<Value> part_of_beginning(CallContext& context, const Value& from,
                                       const Value& length) {
  const TextPattern pattern(context.read(0), context.activation.names());
  const bool is_known = from.is(ValueKind::kInt) && from.number >= 0 &&
                        length.is(ValueKind::kInt) && length.number >= 0;
  if (!is_known || static_cast<size_t>(from.number + length.number) > pattern.beginning().size())
    return std::nullopt;
  return Value::string(context.name(pattern.beginning().substr(
      static_cast<size_t>(from.number), static_cast<size_t>(length.number))));
}

Value part_of_text(CallContext& context) {
  Value from = context.count() > 1 ? context.read(1) : Value::integer(0);
  Value length = context.count() > 2 ? context.read(2) : Value::integer(-1);
  std::optional<std::string> text = context.text(context.read(0));
  bool to_end = length.is(ValueKind::kInt) && length.number < 0;
  if (to_end) {
    cut_beginning(context, from);
    cut_after_position(context, from);
  }
  bool known = text && from.is(ValueKind::kInt) && length.is(ValueKind::kInt) && from.number >= 0 &&
               static_cast<size_t>(from.number) <= text->size();
  if (known) {
    size_t count = length.number < 0 ? std::string::npos : static_cast<size_t>(length.number);
    return Value::string(context.name(text->substr(static_cast<size_t>(from.number), count)));
  }
  if (std::optional<Value> part = part_of_key(context, context.arguments[0], from, length))
    return *part;
  if (const std::optional<Value> part = part_of_beginning(context, from, length)) return *part;
  lose_key(context);
  if (from.is(ValueKind::kInt) && from.number == 0 && !to_end)
    return answer(context, kFirstLetters, context.activation.number_of(context.instruction));
  return context.activation.fresh_symbol(context.instruction, context.state);
}

// --- Loops that take out one occurrence after the other ---

std::optional<uint32_t> block_of(const ir::Function& function, const ir::Instruction& wanted) {
  for (uint32_t block = 0; block < function.blocks.size(); ++block) {
    for (const ir::Instruction& instruction : function.blocks[block].instructions) {
      if (&instruction == &wanted) return block;
    }
  }
  return std::nullopt;
}

bool searches_on(const ir::Function& function, const std::set<uint32_t>& body) {
  bool searches = false;
  for (uint32_t block : body) {
    for (const ir::Instruction& instruction : function.blocks[block].instructions) {
      if (instruction.opcode != ir::Opcode::kCall) continue;
      if (instruction.call.name == "loop.element") return false;
      searches |= models::find_effect(instruction.call.name) == Effect::kFindText;
    }
  }
  return searches;
}

// Whether the innermost loop around the call goes from one found position to the next.
bool is_in_search_loop(CallContext& context) {
  const ir::Function& function = context.activation.function();
  std::optional<uint32_t> block = block_of(function, context.instruction);
  if (!block) return false;
  const std::set<uint32_t>* innermost = nullptr;
  for (const auto& [edge, body] : context.activation.program().layout(function).loops) {
    if (body.count(*block) && (!innermost || body.size() < innermost->size())) innermost = &body;
  }
  return innermost && searches_on(function, *innermost);
}

// Something is taken out at a position that was found.
void cut_at_position(CallContext& context) {
  Value from = context.read(1);
  if (!from.is(ValueKind::kSymbol)) return;
  const std::string& key = context.activation.names().text(from.name);
  std::optional<std::string> part = between(key, std::string(kPosition) + "<'", "'>");
  if (!part || !is_in_search_loop(context)) return;
  CutTextEvent event;
  event.part = *part;
  event.every = true;
  notify_cut(context, std::move(event));
}

void change_text(CallContext& context, const std::optional<Value>& known = std::nullopt) {
  if (!context.arguments[0].is(ValueKind::kAddress)) return;
  context.activation.assign(
      context.state, context.arguments[0],
      known ? *known : context.activation.fresh_symbol(context.instruction, context.state));
}

// Without `count` characters at its beginning.
void drop_beginning(CallContext& context, const Value& count) {
  cut_beginning(context, count);
  change_text(context, part_of_key(context, context.arguments[0], count, Value::integer(-1)));
}

void erase_text(CallContext& context) {
  Value from = context.count() > 1 ? context.read(1) : Value::integer(0);
  bool at_beginning = from.is(ValueKind::kInt) && from.number == 0 && context.count() > 2;
  if (at_beginning) return drop_beginning(context, context.read(2));
  cut_at_position(context);
  change_text(context);
}

void replace_text(CallContext& context) {
  std::optional<std::string> by = context.text(context.read(3));
  bool removes = context.count() == 4 && by && by->empty();
  Value from = context.read(1);
  bool at_beginning = removes && from.is(ValueKind::kInt) && from.number == 0;
  if (at_beginning) return drop_beginning(context, context.read(2));
  if (removes) cut_at_position(context);
  change_text(context);
}

// The part and what replaces it: two arguments, or a list of pairs; erase_all has the part alone.
void replace_every(CallContext& context) {
  const std::string& name = context.call().name;
  bool erases = name.find("erase_all") != std::string::npos;
  std::vector<std::pair<Value, Value>> pairs;
  const Object* list = context.state.object_of(context.read(1));
  if (list && list->kind == ObjectKind::kContainer) {
    for (const Value& element : list->elements) {
      const Object* pair = context.state.object_of(element);
      if (pair && pair->elements.size() == 2)
        pairs.emplace_back(context.state.read(pair->elements[0]),
                           context.state.read(pair->elements[1]));
    }
  } else if (context.count() == 3 || erases) {
    Value by = erases ? Value::string(context.name("")) : context.read(2);
    pairs.emplace_back(context.read(1), by);
  }
  for (const auto& [part, by] : pairs) {
    std::optional<std::string> text = context.text(part);
    std::optional<std::string> replacement = context.text(by);
    if (!text || !replacement || !replacement->empty()) continue;
    CutTextEvent event;
    event.part = *text;
    event.every = true;
    event.by_pattern = name == "std::regex_replace";
    notify_cut(context, std::move(event));
  }
  change_text(context);
}

// The same of a text of which only a pattern is known.
std::optional<Value> answer_about_pattern(CallContext& context, std::string_view question,
                                          size_t part, std::string_view sought) {
  const TextPattern pattern(context.read(0), context.activation.names());
  const bool is_from_zero =
      context.count() > part + 1 && same(context.read(part + 1), Value::integer(0));
  const std::optional<bool> begins = pattern.begins_with(sought);
  if (question == kBeginning) return begins ? std::optional(Value::boolean(*begins)) : std::nullopt;
  if (question == kPosition && context.call().name.ends_with("::rfind") && is_from_zero)
    return begins ? std::optional(Value::integer(*begins ? 0 : -1)) : std::nullopt;
  if (question == kPosition && context.call().name.ends_with("::find")) {
    if (context.count() > part + 1 && !is_from_zero) return std::nullopt;
    const size_t position = pattern.beginning().find(sought);
    if (position != std::string_view::npos) return Value::integer(static_cast<int64_t>(position));
    return pattern.contains(sought) == false ? std::optional(Value::integer(-1)) : std::nullopt;
  }
  if (question == kDifference && part == 3 && same(context.read(1), Value::integer(0)) &&
      same(context.read(2), Value::integer(static_cast<int64_t>(sought.size()))))
    return begins ? std::optional(Value::integer(*begins ? 0 : 1)) : std::nullopt;
  return std::nullopt;
}

// The answer to a question about a text that is known; nothing for other texts. Who looks for the
// prefix of a wrapper has all names in mind.
std::optional<Value> answer_about_known(CallContext& context, std::string_view question,
                                        size_t part) {
  const std::optional<std::string> text = context.text(context.read(0));
  std::optional<std::string> sought = context.text(context.read(part));
  const Value character = context.read(part);
  const bool is_search = question != kBeginning && question != kDifference;
  if (is_search && character.is(ValueKind::kInt) && character.number > 0 && character.number < 128)
    sought = std::string(1, static_cast<char>(character.number));
  if (!sought || rules::prefix_strip_anywhere::is_prefix(*sought)) return std::nullopt;
  if (!text) return answer_about_pattern(context, question, part, *sought);
  if (question == kBeginning) return Value::boolean(text->starts_with(*sought));
  if (question == kDifference && part == 1) return Value::integer(text->compare(*sought));
  if (question == kDifference) {  // compare(from, count, part)
    const Value from = context.read(1), count = context.read(2);
    const bool is_known = part == 3 && from.is(ValueKind::kInt) && count.is(ValueKind::kInt) &&
                          from.number >= 0 && count.number >= 0 &&
                          static_cast<size_t>(from.number) <= text->size();
    if (!is_known) return std::nullopt;
    return Value::integer(text->compare(from.number, count.number, *sought));
  }
  const Value from = context.count() > part + 1 ? context.read(part + 1) : Value::none();
  if (!from.is(ValueKind::kNone) && !from.is(ValueKind::kInt)) return std::nullopt;
  const size_t start = from.is(ValueKind::kInt) ? static_cast<size_t>(from.number) : 0;
  const bool is_backward = context.call().name.ends_with("::rfind");
  const size_t last = from.is(ValueKind::kInt) ? start : std::string::npos;
  // npos is -1.
  return Value::integer(
      static_cast<int64_t>(is_backward ? text->rfind(*sought, last) : text->find(*sought, start)));
}

// Whether a question is how a text begins: `compare(0, n, part)`, `rfind(part, 0)`.
bool asks_beginning(CallContext& context, std::string_view question, size_t part) {
  const Value zero = Value::integer(0);
  if (question == kBeginning) return true;
  if (question == kDifference) return part == 1 || same(context.read(1), zero);
  return question == kPosition && context.call().name.ends_with("::rfind") &&
         same(context.read(part + 1), zero);
}

// The names of a module's tensors are asked whether they begin so.
void note_key_beginning(CallContext& context, const std::string& beginning) {
  if (const std::optional<std::vector<std::string>> names = keys_meant(context, 0))
    note_missed_beginning(context, *names, beginning);
}

Value asked(CallContext& context, std::string_view question, size_t part) {
  if (std::optional<Value> known = answer_about_known(context, question, part)) return *known;
  std::optional<std::string> text = context.text(context.read(part));
  // Of other texts nothing is asked, and the answers are kept apart.
  if (!text || !rules::prefix_strip_anywhere::is_prefix(*text)) {
    if (text && asks_beginning(context, question, part)) note_key_beginning(context, *text);
    lose_key(context);
    return context.activation.fresh_symbol(context.instruction, context.state);
  }
  Value result = answer(context, question, *text);
  auto begins = [&](std::string_view key) { return key.starts_with(*text); };
  std::optional<bool> begin = each_key(context, context.arguments[0], begins);
  if (!begin) return result;
  Names& names = context.activation.names();
  bool is_truth = question == kBeginning;
  context.state.assume(is_truth ? result.name : names.term("eq", {names.intern("0"), result.name}),
                       *begin);
  if (is_truth) return Value::boolean(*begin);
  // A loop goes on from a position that find() has found.
  bool is_search = context.call().name.ends_with("::find");
  if (*begin && !is_search) return Value::integer(0);
  return result;
}

// strcmp(text, other): 0 where they are the same.
Value compare_whole(CallContext& context) {
  const Value text = context.read(0), other = context.read(1);
  lose_key(context);
  const std::optional<std::string> known = context.text(text), known_other = context.text(other);
  if (known && known_other) return Value::integer(known->compare(*known_other));
  const std::optional<Value> differ = evaluate("op.ne", text, other, context.activation.names(),
                                               context.activation.assumed_devices());
  return differ && differ->is(ValueKind::kSymbol)
             ? *differ
             : context.activation.fresh_symbol(context.instruction, context.state);
}

// compare([from, count,] part), strncmp(text, part, count).
Value compare_text(CallContext& context) {
  if (context.call().name.ends_with("strcmp") && context.count() == 2)
    return compare_whole(context);
  if (!context.call().name.ends_with("strncmp"))
    return asked(context, kDifference, context.count() - 1);
  std::optional<std::string> text = context.text(context.read(1));
  Value count = context.read(2);
  bool is_whole =
      text && count.is(ValueKind::kInt) && static_cast<size_t>(count.number) == text->size();
  if (is_whole) return asked(context, kDifference, 1);
  lose_key(context);
  return context.activation.fresh_symbol(context.instruction, context.state);
}

}  // namespace

std::optional<Value> prefixed_key(CallContext& context, const Value& prefix, const Value& key) {
  std::optional<std::string> text = context.text(prefix);
  std::optional<KeySet> keys = key_set_of(context.state, key, context.activation.names());
  if (!text || !keys) return std::nullopt;
  std::optional<KeySet> made = keys->prefixed(*text);
  if (!made) return std::nullopt;
  return key_of(context, *made, 821);
}

std::optional<Value> compares_beginning(CallContext& context, std::string_view operation,
                                        const Value& a, const Value& b) {
  Activation& activation = context.activation;
  const Value& key = a.is(ValueKind::kString) ? b : a;
  std::optional<std::string> text = context.text(a.is(ValueKind::kString) ? a : b);
  std::optional<KeySet> keys = key_set_of(context.state, key, activation.names());
  bool compares = operation == "op.eq" || operation == "op.ne";
  if (!compares || !keys) return std::nullopt;
  bool is_beginning = text && keys->kept == text->size();
  if (!is_beginning || !rules::prefix_strip_anywhere::is_prefix(*text)) {
    if (is_beginning) {
      KeySet whole = *keys;
      whole.kept = std::string::npos;
      if (const std::optional<std::vector<std::string>> names = names_of_keys(context, whole))
        note_missed_beginning(context, *names, *text);
    }
    forget_keys(context.state, keys->module, activation.names());
    return std::nullopt;
  }
  Value letters = answer(context, kFirstLetters, activation.number_of(context.instruction));
  std::optional<Value> is_same = evaluate("op.eq", Value::string(context.name(*text)), letters,
                                          activation.names(), activation.assumed_devices());
  if (!is_same || !is_same->is(ValueKind::kSymbol)) return std::nullopt;
  auto equals = [&](std::string_view beginning) { return beginning == *text; };
  if (std::optional<bool> each = each_key(context, key, equals))
    context.state.assume(is_same->name, *each);
  if (operation == "op.eq") return is_same;
  return Value::symbol(negated(is_same->name, activation.names()));
}

void note_other_question(CallContext& context) {
  std::string_view name = context.call().name;
  bool asks = name.starts_with("std::basic_string::") ||
              name.starts_with("std::basic_string_view::") || name.starts_with("std::regex_");
  if (!asks || context.count() == 0 || models::find_effect(name)) return;
  lose_key(context);
  // What the program finds out of its letters decides what it does with it.
  note_question(context, context.read(0));
}

bool asks_about_text(std::string_view key) { return asked_beginning(key).has_value(); }

bool text_effect(CallContext& context, Effect effect, Value& result) {
  if (context.count() == 0) return false;
  result = Value::unknown();
  switch (effect) {
    case Effect::kNumber: {
      std::optional<std::string> text = context.text(context.read(0));
      int64_t number = 0;
      bool is_number = text && !llvm::StringRef(*text).trim().getAsInteger(10, number);
      result = is_number ? Value::integer(number)
                         : context.activation.fresh_symbol(context.instruction, context.state);
      return true;
    }
    case Effect::kTextLength: {
      std::optional<std::string> text = context.text(context.read(0));
      if (!text) {
        lose_key(context);
        return false;
      }
      result = Value::integer(static_cast<int64_t>(text->size()));
      return true;
    }
    case Effect::kAppendText:
      if (!append_text(context)) return false;
      result = context.arguments[0];
      return true;
    case Effect::kFindText:
      result = asked(context, kPosition, 1);
      return true;
    case Effect::kBeginsWith:
      result = asked(context, kBeginning, 1);
      return true;
    case Effect::kCompareText:
      result = compare_text(context);
      return true;
    case Effect::kPartOfText:
      result = part_of_text(context);
      return true;
    case Effect::kEraseText:
      erase_text(context);
      break;
    case Effect::kDropBeginning:
      drop_beginning(context, context.read(1));
      break;
    case Effect::kReplaceText:
      replace_text(context);
      break;
    case Effect::kReplaceEvery:
      replace_every(context);
      break;
    default:
      return false;
  }
  result = context.activation.fresh_symbol(context.instruction, context.state);
  return true;
}

}  // namespace placecheck::dataflow
