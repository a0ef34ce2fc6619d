// Questions about the names of a wrapped module's tensors that only the names of the module inside
// could answer: the former begin with "module.".
#include <algorithm>
#include <set>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "rules/prefix_strip_anywhere.h"

namespace placecheck::dataflow {
namespace {

using Question = MissedNamesEvent::Question;
using rules::prefix_strip_anywhere::kPrefix;

// The operations of symbols: what follows the prefix in the name of a wrapper's tensor, with the
// names that this is one of; the name of a tensor of a module that is not wrapped.
constexpr std::string_view kNameBelowWrapper = "name below a wrapper";
constexpr std::string_view kBareName = "name of a bare module";
// The fields of a table whose keys are such names: of a module, or of a wrapper.
constexpr std::string_view kHasBareNames = "<bare names>";
constexpr std::string_view kHasNamesOfWrapper = "<names of a wrapper>";
// The global with a key of a wrapped module that a table was asked for, which has it bare.
constexpr std::string_view kMissedKey = "<missed key of a wrapped module>";

// The names of a module's tensors, and of the modules above them with a dot at the end, as far as
// they are known.
void collect_names(CallContext& context, ObjectId module, const std::string& prefix,
                   std::set<std::string>& names) {
  constexpr size_t kMost = 400;
  if (!context.state.has(module) || names.size() > kMost) return;
  for (const Registered& entry : context.state.object(module).registered) {
    const std::string name = prefix + context.activation.names().text(entry.name);
    const bool is_module = entry.kind == RegisteredKind::kModule;
    if (!names.insert(is_module ? name + "." : name).second || !is_module) continue;
    const ObjectId child = context.state.object_id_of(entry.value);
    if (child != kNoObject) collect_names(context, child, name + ".", names);
  }
}

// Whether the module inside has names that begin so: its own, or those of a part of which they are
// not known.
bool begins_below(std::string_view name, std::string_view beginning) {
  return name.starts_with(beginning) || (name.ends_with(".") && beginning.starts_with(name));
}

void notify_missed(CallContext& context, Question question, std::string_view asked,
                   OriginId asked_at = 0) {
  if (context.activation.spells_prefix()) return;
  MissedNamesEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.question = question;
  event.asked = asked;
  event.asked_at = asked_at;
  context.activation.notify(event, context.state);
}

// The name of what is below the wrapper, where a symbol is the name of one of its tensors.
std::optional<Name> name_below(const Value& name, const Names& names) {
  if (!name.is(ValueKind::kSymbol) || !names.is_term(name.name, "add")) return std::nullopt;
  const std::vector<Name>& parts = names.operands(name.name);
  const bool is_in_wrapper = parts.size() == 2 && names.is_term(parts[1], kNameBelowWrapper);
  return is_in_wrapper ? std::optional(parts[1]) : std::nullopt;
}

bool is_bare_name(const Value& key, const Names& names) {
  return key.is(ValueKind::kSymbol) && names.is_term(key.name, kBareName);
}

// Whether a branch on the result of the call at hand does something on one side only.
bool decides_one_side(CallContext& context) {
  const ir::Function& function = context.activation.function();
  const auto calls = [](const ir::Instruction& each) { return each.opcode == ir::Opcode::kCall; };
  for (const ir::Block& block : function.blocks) {
    if (block.instructions.empty()) continue;
    const ir::Instruction& last = block.instructions.back();
    if (last.opcode != ir::Opcode::kBranch || last.operands[0] != context.instruction.result)
      continue;
    const ir::Block& otherwise = function.blocks[last.targets[1]];
    const bool goes_on = otherwise.instructions.back().opcode == ir::Opcode::kJump;
    const bool is_loop_step =
        std::ranges::all_of(otherwise.instructions, [&](const ir::Instruction& each) {
          return !calls(each) || each.call.name.starts_with("loop.");
        });
    return goes_on && is_loop_step;
  }
  return false;
}

}  // namespace

void note_missed_beginning(CallContext& context, std::span<const std::string> names,
                           std::string_view beginning) {
  if (beginning.empty() || kPrefix.starts_with(beginning) || beginning.starts_with(kPrefix)) return;
  const bool are_wrapped = !names.empty() && std::ranges::all_of(names, [](std::string_view name) {
    return name.starts_with(kPrefix);
  });
  if (!are_wrapped) return;
  const bool are_meant = std::ranges::any_of(names, [&](std::string_view name) {
    return begins_below(name.substr(kPrefix.size()), beginning);
  });
  if (are_meant) notify_missed(context, Question::kBeginning, beginning);
}

Value name_in_module(CallContext& context, const Value& parameters) {
  Names& names = context.activation.names();
  const ObjectId module = parameters.object;
  std::set<std::string> own;
  collect_names(context, module, "", own);
  const Value rest = context.activation.fresh_symbol(context.instruction, context.state, "name");
  if (is_wrapper(context, module)) {
    std::string below = "names:";
    for (const std::string& each : own) {
      if (each.starts_with(kPrefix) && each.size() > kPrefix.size())
        below += " " + each.substr(kPrefix.size());
    }
    const Name name = names.term(kNameBelowWrapper, {rest.name, names.intern(below)});
    const Name prefix = names.intern("'" + std::string(kPrefix) + "'");
    return Value::symbol(names.term("add", {prefix, name}));
  }
  const bool is_bare =
      context.state.has(module) && context.state.object(module).complete && !own.empty() &&
      std::ranges::none_of(own, [](std::string_view name) { return name.starts_with(kPrefix); });
  return is_bare ? Value::symbol(names.term(kBareName, {rest.name})) : rest;
}

void note_asked_beginnings(CallContext& context, const Value& name,
                           std::span<const std::string> beginnings) {
  const Names& names = context.activation.names();
  const std::optional<Name> below = name_below(name, names);
  if (!below || beginnings.empty()) return;
  std::vector<std::string> known;
  llvm::SmallVector<llvm::StringRef> spelled;
  llvm::StringRef(names.text(names.operands(*below)[1])).split(spelled, ' ');
  for (llvm::StringRef each : llvm::ArrayRef(spelled).drop_front())
    known.push_back(std::string(kPrefix) + each.str());
  const bool may_begin = std::ranges::any_of(beginnings, [](std::string_view beginning) {
    return kPrefix.starts_with(beginning) || beginning.starts_with(kPrefix);
  });
  if (!may_begin) note_missed_beginning(context, known, beginnings.front());
}

void note_name_as_key(CallContext& context, ObjectId id, const Value& key) {
  const Names& names = context.activation.names();
  const auto note = [&](std::string_view field, bool is_one) {
    const Object& table = context.state.object(id);
    const Name mark = context.name(field);
    const bool is_marked = table.find(mark);
    if (is_one && !is_marked && table.has_no_elements())
      context.state.edit(id).set(mark, Value::boolean(true));
    if (!is_one && is_marked) context.state.edit(id).erase(mark);
  };
  note(kHasBareNames, is_bare_name(key, names));
  note(kHasNamesOfWrapper, name_below(key, names).has_value());
}

// The key as the other side spells it: with the prefix, or without.
static std::string other_spelling(const std::string& key) {
  return key.starts_with(kPrefix) ? key.substr(kPrefix.size()) : std::string(kPrefix) + key;
}

std::optional<bool> name_is_in(CallContext& context, const Value& name, const Object& table) {
  if (const std::optional<std::string> key = context.text(name)) {
    const bool is_spelled_otherwise =
        has_text_keys(table) && std::ranges::any_of(table.keys, [&](const Value& each) {
          return context.activation.names().text(each.name) == other_spelling(*key);
        });
    Value missed = Value::string(name.name);
    missed.origin = context.origin(OriginKind::kNamed);
    if (is_spelled_otherwise) context.state.set_global(context.name(kMissedKey), missed);
    return std::nullopt;
  }
  const Names& names = context.activation.names();
  const bool is_missed =
      (name_below(name, names) && table.find(context.name(kHasBareNames))) ||
      (is_bare_name(name, names) && table.find(context.name(kHasNamesOfWrapper)));
  if (!is_missed) return std::nullopt;
  if (decides_one_side(context)) notify_missed(context, Question::kMembership, kPrefix);
  return false;
}

void note_empty_update(CallContext& context, const Object& table) {
  const Value* missed = context.state.find_global(context.name(kMissedKey));
  if (!missed || !missed->is(ValueKind::kString) || !has_text_keys(table)) return;
  notify_missed(context, Question::kUpdate, context.activation.names().text(missed->name),
                missed->origin);
}

}  // namespace placecheck::dataflow
