#include "analyzer/dataflow/identity.h"

#include <algorithm>
#include <set>

#include "analyzer/dataflow/activation.h"
#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/dataflow/text_terms.h"
#include "analyzer/ir/print.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kParameter = "parameter ";
constexpr std::string_view kLost = "lost";
constexpr std::string_view kText = "text";
constexpr std::string_view kMember = "object.get";
constexpr int kDeepestQuestion = 6;
constexpr size_t kLongestQuestion = 320;

bool is_nameless(const Value& value) { return value.is(ValueKind::kUnknown) && !value.is_opaque(); }

// Conditions that mean more than that they are not known.
bool has_a_meaning(Name condition, const Names& names) {
  static constexpr std::string_view kMeanings[] = {kRaised, kIsOtherType, kOfCache, kSameDevice,
                                                   kPositive};
  auto is_meant = [&](std::string_view meaning) { return names.is_term(condition, meaning); };
  auto has_inside = [&](Name part) { return has_a_meaning(part, names); };
  return std::ranges::any_of(kMeanings, is_meant) ||
         std::ranges::any_of(names.operands(condition), has_inside);
}

// Whether the call has no effects: asked again of the same operands, its answer is the same.
bool is_question(std::string_view call) {
  constexpr std::string_view kBuiltin = "builtins.";
  if (call.starts_with(kBuiltin)) call.remove_prefix(kBuiltin.size());
  static constexpr std::string_view kQuestions[] = {
      "object.get", "object.item", "object.is", "object.in", "object.text", "abs", "all",
      "any",        "bool",        "float",     "getattr",   "hasattr",     "int", "isinstance",
      "len",        "max",         "min",       "round",     "str",         "sum"};
  return call.starts_with("op.") || std::ranges::find(kQuestions, call) != std::end(kQuestions);
}

// Whether a term is a text of which some letters are known: `add('Epoch ',text(count))`.
bool has_letters(Name term, const Names& names) {
  const std::string& text = names.text(term);
  const bool is_text = names.operands(term).empty() && text.starts_with('\'');
  if (is_text) return text.size() > 2;
  return names.is_term(term, "add") && std::ranges::any_of(names.operands(term), [&](Name each) {
           return has_letters(each, names);
         });
}

// The name of a value as it is written: a term of the operation and of the names of its operands.
// Written again in the same words, it is taken to be the same. If a variable was assigned in
// between, it may be another in a run; then a feasible path is not followed, which can hide a
// finding but not make one.
class Writing {
 public:
  explicit Writing(Activation& activation) : activation_(activation), names_(activation.names()) {}

  // Short, since the key of a function has the path of its file in it.
  Name variable(const std::string& slot) {
    Name scope = slot.starts_with('@') ? 0 : names_.intern(activation_.function().key);
    return names_.intern("variable " + (scope ? slot : std::to_string(names_.intern(slot))) + "@" +
                         std::to_string(scope));
  }

  // `value(i)`: the operand, where it is known.
  template <class Operand>
  std::optional<Name> call(const ir::Call& call, Operand value, int depth = 0) {
    if (call.name.empty()) return std::nullopt;
    std::vector<Name> about;
    size_t length = call.name.size();
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      std::optional<Name> each = identity_of(value(i), names_);
      if (!each) each = name(call.arguments[i].value, depth + 1);
      if (!each) return std::nullopt;
      length += names_.text(*each).size();
      about.push_back(*each);
    }
    if (about.empty()) return names_.intern(call.name + std::string(kAnswer));
    if (call.name == "op.not") return negated(about[0], names_);
    if (length > kLongestQuestion) return std::nullopt;
    return names_.term(call.name, std::move(about));
  }

  std::optional<Name> name(ir::Register written, int depth = 0) {
    const ir::Instruction* definition = activation_.find_definition(written);
    if (!definition || depth > kDeepestQuestion) return std::nullopt;
    switch (definition->opcode) {
      case ir::Opcode::kConst:
        return names_.intern(ir::to_string(definition->literal));
      case ir::Opcode::kLoad:
        return variable(definition->symbol);
      case ir::Opcode::kCall:
        return call(definition->call, [](size_t) { return Value::unknown(); }, depth);
      default:
        return std::nullopt;
    }
  }

 private:
  Activation& activation_;
  Names& names_;
};

// Whether the value is known to be a tensor or a device, but not which or where.
bool has_lost_place(const Value& value) {
  const bool has_one = value.is_tensor() || value.is(ValueKind::kDevice);
  return has_one && value.place.kind == PlaceKind::kUnknown;
}

// What is asked of a tensor or device whose place is lost, and depends on it.
bool asks_for_lost_place(const std::vector<Value>& arguments, const State& state,
                         const Names& names) {
  static constexpr std::string_view kPlaces[] = {"device", "is_cpu", "is_cuda", "is_meta",
                                                 "is_mps"};
  const Value asked = state.read(arguments[0]);
  // Of an unknown value only what is asked below depends on its place.
  const bool is_lost = has_lost_place(asked) || asked.is(ValueKind::kUnknown);
  if (!is_lost || asked.is(ValueKind::kDevice)) return is_lost;
  const Value member = arguments.size() > 1 ? state.read(arguments[1]) : Value();
  return member.is(ValueKind::kString) &&
         std::ranges::find(kPlaces, names.text(member.name)) != std::end(kPlaces);
}

// Whether the call reads what the program has made, and the analysis has lost: a part of an object
// or of a table.
bool reads_lost_part(const std::vector<Value>& arguments, const State& state) {
  const Object* holder = state.object_of(arguments[0]);
  return holder && holder->symbol == 0 && (holder->type || is_list(*holder));
}

// Whether what a condition is about was made up within the expression that asks it, because what is
// asked of is not known: made up again, it would have nothing to do with this.
bool is_made_up(Activation& activation, Name condition, ir::Register asked, int depth = 0) {
  const ir::Instruction* written = activation.find_definition(asked);
  if (!written || written->opcode != ir::Opcode::kCall || depth > kDeepestQuestion) return false;
  const Names& names = activation.names();
  Name own = names.find("<" + activation.number_of(*written) + ">");
  if (own != 0 && names.mentions(condition, own)) return true;
  return std::ranges::any_of(written->call.arguments, [&](const ir::Argument& argument) {
    return is_made_up(activation, condition, argument.value, depth + 1);
  });
}

bool has_quotient(Name term, const Names& names) {
  static constexpr std::string_view kQuotients[] = {"op.div", "op.truediv", "truediv"};
  const auto is_one = [&](std::string_view each) { return names.is_term(term, each); };
  return std::ranges::any_of(kQuotients, is_one) ||
         std::ranges::any_of(names.operands(term),
                             [&](Name each) { return has_quotient(each, names); });
}

// `accuracy > best`: the data decide it, this way in some run and that way in another.
bool compares_measure(Name condition, const Names& names) {
  static constexpr std::string_view kOrders[] = {"lt", "op.ge", "op.gt", "op.le", "op.lt"};
  const auto is_one = [&](std::string_view each) { return names.is_term(condition, each); };
  return std::ranges::any_of(kOrders, is_one) && has_quotient(condition, names);
}

// `step % 4 == 0`, which holds in every fourth iteration, and so in some; also where the period is
// an option or comes from a configuration.
bool is_periodic(Name condition, const Names& names) {
  const std::vector<Name>& parts = names.operands(condition);
  if (!names.is_term(condition, "eq") || parts.size() != 2) return false;
  const size_t rest = names.integer(parts[0]) ? 1 : 0;
  return names.integer(parts[1 - rest]) && names.is_term(parts[rest], "mod") &&
         !is_about_lost(names.operands(parts[rest])[1], names);
}

// Whether the name is that of a parameter, or of a member of one: equal names are the same object.
bool is_of_parameter(Name name, const Names& names) {
  if (is_member_identity(name, names)) return is_of_parameter(names.operands(name)[0], names);
  return names.operands(name).empty() && names.text(name).starts_with(kParameter);
}

// `EasyDict()`, or a member of it.
bool is_made_by_library(Name name, const Names& names) {
  if (is_member_identity(name, names)) return is_made_by_library(names.operands(name)[0], names);
  return names.operands(name).empty() && names.text(name).ends_with(kAnswer);
}

}  // namespace

bool is_some_float(const Value& value, const Names& names) {
  return value.is(ValueKind::kSymbol) && names.text(value.name) == kSomeFloat;
}

bool is_fresh(Name name, const Names& names) { return names.text(name).starts_with('<'); }

bool is_made(Name symbol, const Names& names) {
  const std::string& text = names.text(symbol);
  return is_fresh(symbol, names) || text.starts_with(kJoined) || text.starts_with(kIterated);
}

bool is_lasting(Name name, const Names& names) {
  return !is_made(name, names) && std::ranges::all_of(names.operands(name), [&](Name each) {
    return is_lasting(each, names);
  });
}

std::optional<Name> identity_of(const Value& value, Names& names) {
  switch (value.kind) {
    case ValueKind::kBool:
    case ValueKind::kInt:
      return names.intern(std::to_string(value.number));
    case ValueKind::kString:
      return names.intern("'" + names.text(value.name) + "'");
    case ValueKind::kSymbol:
      return is_some_float(value, names) ? std::nullopt : std::optional(value.name);
    case ValueKind::kUnknown:
      return value.is_opaque() ? std::optional(value.name) : std::nullopt;
    default:
      return std::nullopt;
  }
}

namespace {

// The constants that a scalar may be; none where it may be anything.
std::vector<Name> alternatives_of(const Value& scalar, Names& names) {
  if (scalar.is(ValueKind::kSymbol)) {
    const std::span<const Name> known = names.alternatives(scalar.name);
    return {known.begin(), known.end()};
  }
  const std::optional<Name> constant = identity_of(scalar, names);
  return constant ? std::vector<Name>{*constant} : std::vector<Name>();
}

}  // namespace

Name joined_symbol(std::string_view text, const Value& a, const Value& b, Names& names) {
  constexpr size_t kMost = 8;
  const std::vector<Name> of_a = alternatives_of(a, names), of_b = alternatives_of(b, names);
  const bool are_truths = a.is(ValueKind::kBool) && b.is(ValueKind::kBool);
  if (of_a.empty() || of_b.empty() || are_truths) {
    const bool are_of_cuda = names_cuda_device(a, names) && names_cuda_device(b, names);
    return are_of_cuda ? names.term(kTextOfCudaDevice, {names.intern(text)}) : names.intern(text);
  }
  std::set<Name> all(of_a.begin(), of_a.end());
  all.insert(of_b.begin(), of_b.end());
  return all.size() <= kMost ? names.one_of(text, {all.begin(), all.end()}) : names.intern(text);
}

Name parameter_identity(std::string_view parameter, std::string_view function_key, Names& names) {
  return names.intern(std::string(kParameter) + std::string(parameter) + "#" +
                      std::to_string(names.intern(function_key)));
}

bool is_from_outside(const Object& object, const Names& names) {
  return object.symbol != 0 && names.text(object.symbol).starts_with(kFromOutside);
}

bool says_device(std::string_view name) {
  constexpr std::string_view kParts[] = {"device", "gpu", "cuda"};
  return name == "dev" || std::ranges::any_of(kParts, [&](std::string_view part) {
           return name.find(part) != std::string_view::npos;
         });
}

Name lost_identity(Name what, Names& names) { return names.term(kLost, {what}); }

bool is_number_or_text(const Value& value, const Names& names) {
  static constexpr std::string_view kAnswers[] = {"builtins.bool", "builtins.int", "builtins.len",
                                                  "builtins.str", kText};
  if (value.is(ValueKind::kString) || value.is(ValueKind::kInt) || value.is(ValueKind::kBool) ||
      is_some_float(value, names))
    return true;
  if (!value.is(ValueKind::kSymbol) && !value.is_opaque()) return false;
  const bool is_lost = names.is_term(value.name, kLost);
  const Name known = is_lost ? names.operands(value.name)[0] : value.name;
  auto answers = [&](std::string_view call) { return names.is_term(known, call); };
  return has_letters(known, names) || std::ranges::any_of(kAnswers, answers);
}

Name some_number_or_text(std::string_view which, Names& names) {
  return lost_identity(names.term(kText, {names.intern("<" + std::string(which) + ">")}), names);
}

bool is_about_lost(Name condition, const Names& names) {
  if (compares_measure(condition, names) || is_periodic(condition, names)) return false;
  const std::vector<Name>& parts = names.operands(condition);
  if (parts.empty()) return names.text(condition).starts_with(kJoined);
  return names.is_term(condition, kLost) ||
         std::ranges::any_of(parts, [&](Name each) { return is_about_lost(each, names); });
}

bool mentions_lost(Name condition, const Names& names) {
  return names.is_term(condition, kLost) ||
         std::ranges::any_of(names.operands(condition),
                             [&](Name each) { return mentions_lost(each, names); });
}

Name member_identity(Name holder, std::string_view member, Names& names) {
  return names.term(kMember, {holder, names.intern("'" + std::string(member) + "'")});
}

bool is_member_identity(Name name, const Names& names) { return names.is_term(name, kMember); }

Name library_member_identity(Name holder, std::string_view member, Names& names) {
  return names.derive(names.text(holder) + "." + std::string(member), {holder});
}

void set_opaque_member(State& state, Name holder, std::string_view member, const Value& value,
                       Names& names) {
  const Name identity = member_identity(holder, member, names);
  if (is_of_parameter(holder, names)) return state.set_global(identity, value);
  auto mentions = [&](const auto& assumption) {
    return names.mentions(assumption.first, identity);
  };
  std::vector<std::pair<Name, bool>> decided;
  std::ranges::copy_if(state.assumptions, std::back_inserter(decided), mentions);
  state.forget(identity, names);
  for (const auto& [condition, holds] : decided) state.lose(condition);
  // An option may decide other branches, too, and the member is not related to it.
  if (value.is(ValueKind::kSymbol) && is_made_by_library(holder, names))
    state.set_global(identity, Value::opaque(lost_identity(identity, names)));
}

void forget_opaque_members(State& state, Name holder, const Names& names) {
  for (auto& [name, value] : state.globals) {
    bool is_of_holder = is_member_identity(name, names) && names.mentions(name, holder);
    if (is_of_holder && !value.is_opaque()) value = Value::unknown();
  }
}

// `get_cuda_device_index()` of a library that is not seen: what it answers may depend on what the
// program has told the library before.
static bool asks_library_for_device(std::string_view call) {
  static constexpr std::string_view kKnown[] = {".", "builtins.", "object.", "op.", "torch."};
  auto begins = [&](std::string_view known) { return call.starts_with(known); };
  return call.find('.') != std::string_view::npos && std::ranges::none_of(kKnown, begins) &&
         says_device(last_part(call));
}

Value Activation::identified(Value loaded, const ir::Instruction& load) {
  if (!is_nameless(loaded) || !is_dynamic_) return loaded;
  loaded.name = Writing(*this).variable(load.symbol);
  return loaded;
}

Value Activation::identified(Value answer, const ir::Instruction& call,
                             const std::vector<Value>& arguments, const State& state) {
  auto is_made_up_here = [&](Name symbol) {
    Name own = names().find("<" + number_of(call) + ">");
    return own != 0 && names().mentions(symbol, own) && !has_a_meaning(symbol, names());
  };
  // Each element of a range is another value: the variable that holds it names it, when it is read.
  if (call.call.name.starts_with("loop.")) return answer;
  const bool is_open =
      answer.is(ValueKind::kSymbol) && is_question(call.call.name) && is_made_up_here(answer.name);
  if (!is_nameless(answer) && !is_open) return answer;
  auto operand = [&](size_t i) {
    return i < arguments.size() ? state.read(arguments[i]) : Value();
  };
  const std::string& name = call.call.name;
  // How much memory a device has is what the machine says, whichever device that is.
  if (name.starts_with("torch.cuda.mem")) return answer;
  std::optional<Name> written = Writing(*this).call(call.call, operand);
  if (!written) return answer;
  const bool reads = name == "object.get" || name == "object.item" || name == ".get";
  const bool is_of_lost = reads && !arguments.empty() &&
                          (asks_for_lost_place(arguments, state, names()) ||
                           (is_nameless(answer) && reads_lost_part(arguments, state)));
  const bool is_lost =
      is_of_lost || names().is_term(answer.name, kLost) || asks_library_for_device(call.call.name);
  answer.name = is_lost ? lost_identity(*written, names()) : *written;
  return answer;
}

std::optional<bool> content_truth(const State& state, const Value& value, const Names& names) {
  if (value.is(ValueKind::kString)) return !names.text(value.name).empty();
  if (value.is(ValueKind::kSymbol) && has_letters(value.name, names)) return true;
  const Object* object = state.object_of(value);
  if (!value.is_object() || !object || !is_list(*object)) return std::nullopt;
  return object->open || !object->elements.empty();
}

Value Activation::as_condition(const Value& condition, const State& state,
                               const ir::Instruction& branch) {
  if (condition.is_opaque()) return Value::symbol(condition.name);
  if (std::optional<bool> truth = content_truth(state, condition, names()))
    return Value::boolean(*truth);
  if (condition.is(ValueKind::kSymbol) && names().is_term(condition.name, kPositive))
    return Value::boolean(true);
  bool is_open = !branch.loop && condition.is(ValueKind::kSymbol) &&
                 !has_a_meaning(condition.name, names()) &&
                 is_made_up(*this, condition.name, branch.operands[0]);
  std::optional<Name> written = is_open ? Writing(*this).name(branch.operands[0]) : std::nullopt;
  if (!written) return condition;
  const bool is_lost = names().is_term(condition.name, kLost);
  return Value::symbol(is_lost ? lost_identity(*written, names()) : *written);
}

}  // namespace placecheck::dataflow
