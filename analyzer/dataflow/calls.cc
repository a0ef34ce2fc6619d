// How an activation calls: whom, with what, and what it makes of the outcome.
#include <algorithm>
#include <cmath>

#include "analyzer/dataflow/activation.h"
#include "analyzer/dataflow/async_copies.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/havoc.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/ranks.h"
#include "analyzer/dataflow/saved_files.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

bool may_have_place(const ir::Type& type) {
  return ir::has_place(type.kind) ||
         std::any_of(type.arguments.begin(), type.arguments.end(), may_have_place);
}

// Code of the project, or code that did not parse: it may do anything that the program can.
bool is_of_program(const ir::Call& call) {
  // Clang declares its own functions where they are used: INFINITY calls one.
  if (call.name.starts_with("__builtin_")) return false;
  return !call.key.empty() || ir::is_untyped(call) || call.kind == ir::CallKind::kIndirect;
}

// What the models do not name of these libraries is taken to leave modules where they are.
bool is_of_modelled_library(std::string_view name) {
  static constexpr std::string_view kLibraries[] = {"at::", "c10::", "cu",      "nccl",
                                                    "op.",  "std::", "torch::", "loop."};
  return name.find("::") == std::string_view::npos ||
         std::any_of(std::begin(kLibraries), std::end(kLibraries),
                     [&](std::string_view library) { return name.starts_with(library); });
}

// Of those that the arguments are, the objects that stand for others as well.
std::vector<ObjectId> objects_for_several(const State& state, const std::vector<Value>& arguments) {
  std::vector<ObjectId> objects;
  for (const Value& argument : arguments) {
    ObjectId id = state.read(argument).one_of ? state.object_id_of(argument) : kNoObject;
    if (id != kNoObject) objects.push_back(id);
  }
  return objects;
}

bool conflicts(const std::vector<Operand>& operands) {
  for (const Operand& a : operands) {
    for (const Operand& b : operands) {
      if (relate(a.place, b.place) == Relation::kDifferent) return true;
    }
  }
  return false;
}

}  // namespace

// What was moved, and then loaded from a file of unknown place, meets what is where it had been.
bool Activation::meets_displaced(const std::vector<Operand>& operands) const {
  for (const Operand& a : operands) {
    if (a.place.kind != PlaceKind::kAlike || !origin_of(a.origin).by_file) continue;
    const Place& displaced = origin_of(a.origin).displaced;
    if (!displaced.is_accelerator()) continue;
    for (const Operand& b : operands) {
      if (relate(b.place, displaced) == Relation::kSame) return true;
    }
  }
  return false;
}

bool Activation::may_differ_by_rank(const std::vector<Operand>& operands, const State& state) {
  if (!has_several_ranks(state, names())) return false;
  return std::ranges::any_of(operands, [&](const Operand& a) {
    return std::ranges::any_of(
        operands, [&](const Operand& b) { return differ_by_rank(a.place, b.place, names()); });
  });
}

bool Activation::is_forward() const {
  return function_.kind == ir::FunctionKind::kMethod && !entry_.arguments.empty() &&
         entry_.state.object_of(entry_.arguments[0]) != nullptr &&
         entry_.state.object_of(entry_.arguments[0])->is_module() &&
         !function_.name.ends_with("::to");
}

// By more than a step: such numbers do not count the calls.
static bool leaps(const Value& now, const Value& before) {
  auto size = [](const Value& value) { return std::abs(static_cast<double>(value.number)); };
  return now.is(ValueKind::kInt) && before.is(ValueKind::kInt) &&
         std::abs(size(now) - size(before)) > 1;
}

// Of a function that calls itself without a known end, what tells its calls apart is given up: the
// next one asks what is being answered already. Those that count are kept apart for some turns.
void Activation::settle_recursion(const ir::Function& callee, std::vector<Value>& arguments) {
  constexpr uint32_t kCallsKeptApart = 2;
  auto running = engine_.running_.find(&callee);
  if (running == engine_.running_.end() || running->second < kCallsKeptApart) return;
  const bool is_deep = running->second >= kMostTurns;
  for (size_t i = 0; i < arguments.size(); ++i) {
    Value& argument = arguments[i];
    const bool is_endless = &callee == &function_ && i < entry_.arguments.size() &&
                            leaps(argument, entry_.arguments[i]);
    const bool is_given_up =
        argument.has_identity() || is_endless || (is_deep && argument.is_scalar());
    if (!is_given_up) continue;
    const bool is_text = is_dynamic_ && is_number_or_text(argument, names());
    argument = is_text
                   ? Value::symbol(some_number_or_text("argument " + std::to_string(i), names()))
                   : Value::unknown();
  }
}

// Whether one of the paths that have come to this call with that entry so far is one of a run.
bool Activation::is_certain_by_now(const ir::Instruction& call, const Entry& entry,
                                   const Doubts& doubts) {
  auto [known, is_new] = doubts_of_calls_.try_emplace({&call, hash(entry)}, doubts);
  if (!is_new) known->second.join(doubts);
  return known->second.is_exact();
}

// `"cuda:" + std::to_string(i)`, where only the callee knows the number.
static std::optional<Name> text_behind_literal(Name text, Name unknown, Names& names) {
  const std::vector<Name> parts = names.operands(text);
  if (!names.is_term(text, "add") || parts.size() != 2 || !names.text(parts[0]).starts_with("'") ||
      !is_literal(names.text(parts[0])))
    return std::nullopt;
  const bool is_number = names.is_term(parts[1], "text");
  return names.term("add", {parts[0], is_number ? names.term("text", {unknown}) : unknown});
}

Exits Activation::invoke(const ir::Function& callee, std::vector<Value> arguments,
                         const State& state, const ir::Instruction& instruction,
                         const std::vector<size_t>* sources) {
  settle_recursion(callee, arguments);
  Entry entry = engine_.is_exhausted() ? Entry() : engine_.entry_of(callee, state, arguments);
  if (entry.state.is_of_doubtful_caller && !state.is_of_doubtful_caller)
    entry.state.is_of_doubtful_caller = !is_certain_by_now(instruction, entry, state.doubts);
  engine_.calls_.push_back(site(instruction.range));
  const Summary* summary = engine_.is_exhausted() ? nullptr : engine_.summarize(callee, entry);
  engine_.calls_.pop_back();
  if (summary && entry.state.is_of_doubtful_caller)
    engine_.doubtful_calls_.note(summary_.number, !state.is_of_doubtful_caller, summary->number,
                                 state.doubts);
  // No way out was found although nothing is raised: a loop whose end is beyond the analysis.
  bool is_lost = !summary || summary->is_incomplete;
  if (is_lost || (summary->exits.empty() && !summary->raises)) {
    State after = state;
    Value value = unknown_call(instruction, arguments, after);
    return {{std::move(after), value}};
  }
  replay_pending(*summary, entry, arguments, state, instruction, sources);
  Exits exits;
  ++invocation_;
  for (const Exit& exit : summary->exits) {
    State after = state;
    auto own_id = [&](uint32_t k) {
      return allocate(&instruction, invocation_, summary->sites[k]);
    };
    Value value = apply_exit(after, entry, exit.state, exit.value, exit.made, names(), own_id);
    if (exit.state.globals_lost) lose_other_globals(after, entry, instruction);
    displace_replaced(after, state, arguments, names());
    // What the callee found out itself is this call's answer only.
    const bool has_own_identity = value.has_identity() && !is_some_float(value, names()) &&
                                  !is_of_caller(entry, value.name, names());
    if (has_own_identity) {
      if (value.is_opaque()) {
        const bool had_lost_it = is_dynamic_ && is_about_lost(value.name, names());
        const Name own = fresh_symbol(instruction, after).name;
        value.name = had_lost_it ? lost_identity(own, names()) : own;
      } else if (asks_about_text(names().text(value.name))) {
        // The answer about another text has the same name.
        const Condition asked = strip_negations(value.name, names());
        const std::optional<bool> holds = decided(exit.state, asked.name, names());
        after.age(asked.name, names());
        after.forget(asked.name, names());
        if (holds) after.assume(asked.name, *holds);
      } else {
        const Name own = fresh_symbol(instruction, after).name;
        std::optional<Name> text = text_around_device(value.name, own, names());
        if (!text) text = text_behind_literal(value.name, own, names());
        const Value answer = Value::symbol(text.value_or(own));
        // A text in memory that a checkpoint was written to.
        if (const Value* saved = saved_under(value, after, names())) {
          const Value record = *saved;
          after.set_global(file_slot(answer, names()), record);
        }
        value = answer;
      }
    }
    exits.push_back({std::move(after), value});
  }
  return exits;
}

// A module call inside which a mismatch of the module's state with its input was seen: both came
// from here, or from further out.
void Activation::replay_pending(const Summary& summary, const Entry& entry,
                                const std::vector<Value>& arguments, const State& state,
                                const ir::Instruction& instruction,
                                const std::vector<size_t>* sources) {
  const auto& written = instruction.call.arguments;
  const auto written_as = [&](int argument) -> const ir::Argument* {
    if (argument < 0) return nullptr;
    size_t at = static_cast<size_t>(argument);
    if (sources)
      at = at < sources->size() ? (*sources)[at] : written.size();
    else if (written.size() != arguments.size())
      return nullptr;
    return at < written.size() ? &written[at] : nullptr;
  };
  for (const Pending& pending : summary.pending) {
    MeetEvent event = pending.event;
    event.inner.insert(event.inner.begin(), event.site);
    event.site = site(instruction.range);
    for (Operand& operand : event.operands) {
      int32_t input = operand.decider.input;
      if (input < 0 || static_cast<size_t>(input) >= entry.inputs.size()) continue;
      operand.decider = state.decider_of(entry.inputs[input]);
      operand.origin = operand.decider.origin;
      int argument = entry.argument_of_input[input];
      const ir::Argument* given_as = written_as(argument);
      operand.range = given_as ? given_as->range : ir::Range();
      if (argument < 0 || static_cast<size_t>(argument) >= arguments.size()) continue;
      const Value given = state.read(arguments[argument]);
      const bool is_spread = given_as && given_as->name.starts_with("*");
      if (argument == 0) {
        operand.is_module_state = true;
        operand.module = state.object_id_of(given);
      } else if (given_as && (is_spread || !given.is_tensor())) {
        operand.is_part = true;
      }
    }
    meet(std::move(event), state);
  }
}

void Activation::meet(MeetEvent event, const State& state) {
  bool all_known = true;
  bool all_inherited = true;
  bool only_receiver = true;  // then it is the module's own affair, whoever calls
  for (const Operand& operand : event.operands) {
    int32_t input = operand.decider.input;
    all_known = all_known && operand.place.is_known();
    all_inherited = all_inherited && input >= 0 && !operand.stray;
    only_receiver = only_receiver && input >= 0 && entry_.argument_of_input[input] == 0;
  }
  bool is_operation = event.inner.empty() && event.operands.size() > 1;
  if (is_operation && event.site.valid()) {
    const ir::Range& range = event.site.range;
    auto& sites = engine_.coverage_.operations[event.site.unit->files[range.file]];
    sites[{range.line, range.column}] |= all_known;
  }
  if (!conflicts(event.operands) && !meets_displaced(event.operands) &&
      !may_differ_by_rank(event.operands, state))
    return;
  if (assumes_same_device(state, names())) return;
  if (all_inherited && !only_receiver && is_forward()) {
    // The caller's state does not tell that nobody may come here.
    if (state.has_exact_path()) summary_.pending.push_back({std::move(event)});
    return;
  }
  notify(event, state);
}

const ir::Instruction& Activation::renamed(const ir::Instruction& instruction,
                                           const std::string& name) {
  auto [at, is_new] = engine_.renamed_.try_emplace({&instruction, name}, instruction);
  if (is_new) at->second.call.name = name;
  return at->second;
}

const ir::Instruction& Activation::rewritten(const ir::Instruction& instruction,
                                             const std::string& name, ir::CallKind kind,
                                             const std::string& key,
                                             const std::vector<size_t>& sources) {
  std::string known_as = name + '\n' + key + '\n' + std::to_string(static_cast<int>(kind));
  for (size_t source : sources) known_as += ',' + std::to_string(source);
  auto [at, is_new] = engine_.renamed_.try_emplace({&instruction, known_as}, instruction);
  if (!is_new) return at->second;
  ir::Call& call = at->second.call;
  call.name = name;
  call.kind = kind;
  call.key = key;
  call.arguments.clear();
  for (size_t source : sources) {
    ir::Argument argument;
    if (source < instruction.call.arguments.size()) argument = instruction.call.arguments[source];
    argument.name.clear();
    call.arguments.push_back(std::move(argument));
  }
  return at->second;
}

void Activation::call(const ir::Instruction& instruction, Frame frame, std::vector<Frame>& work) {
  const ir::Call& call = instruction.call;
  std::vector<Value> arguments;
  arguments.reserve(call.arguments.size());
  for (const ir::Argument& argument : call.arguments)
    arguments.push_back(frame.registers[argument.value]);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ir::Argument& written = call.arguments[i];
    if (written.fetched) host_access(*this, frame.state, arguments[i], written.range);
  }

  Exits exits;
  invocation_ = 0;
  const std::vector<ObjectId> one_of = objects_for_several(frame.state, arguments);
  const std::optional<State> before = one_of.empty() ? std::nullopt : std::optional(frame.state);
  // The program handles what fails here: nothing is reported of it.
  std::optional<Doubts> outside;
  if (is_dynamic_ && is_foreseen_to_fail(call, arguments)) {
    outside = frame.state.doubts;
    frame.state.doubts.give_up();
  }
  CallContext context{*this, frame.state, instruction, arguments};
  if (!apply_call(context, exits)) {
    Value value = unknown_call(instruction, arguments, frame.state);
    exits.clear();
    exits.push_back({std::move(frame.state), value});
  }
  if (outside) {
    for (Exit& exit : exits) exit.state.doubts = *outside;
  }
  if (before) {
    for (Exit& exit : exits) {
      for (ObjectId id : one_of) weaken(exit.state, *before, id, names());
    }
  }
  if (is_dynamic_) {
    for (Exit& exit : exits)
      exit.value = identified(exit.value, instruction, arguments, exit.state);
  }
  ++frame.next;
  auto go_on = [&](Frame next, Exit& exit) {
    next.state = std::move(exit.state);
    if (instruction.result != ir::kNoRegister) next.registers[instruction.result] = exit.value;
    if (watched_) watch(instruction, next);
    work.push_back(std::move(next));
  };
  for (size_t i = 0; i + 1 < exits.size(); ++i)
    go_on({frame.next, State(), frame.registers, frame.turn}, exits[i]);
  if (!exits.empty()) go_on(std::move(frame), exits.back());
}

// `CHECK(cudaSetDevice(0))`: who is given the answer of such a call looks at it, and does no more.
bool Activation::takes_status(const ir::Call& call) const {
  return std::ranges::any_of(call.arguments, [&](const ir::Argument& argument) {
    const ir::Instruction* given = find_definition(argument.value);
    return given && given->opcode == ir::Opcode::kCall &&
           given->call.type.kind == ir::TypeKind::kInt && models::find_effect(given->call.name);
  });
}

// The one place where it is forgotten what a call that cannot be followed may have changed: all
// that its arguments reach, and for code of the program the globals and the thread's own state as
// well.
void Activation::havoc(const ir::Instruction& instruction, const std::vector<Value>& arguments,
                       State& state, Name label) {
  const ir::Call& call = instruction.call;
  bool changes_objects = is_of_program(call) || !is_of_modelled_library(call.name);
  Value lost = Value::unknown();
  lost.gap = gap_of(instruction);
  Havoc havoc(state, names(), label, lost.gap);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Value& argument = arguments[i];
    // What a pointer leads to may change, the pointer itself only where it is not copied.
    bool is_copied = i < call.arguments.size() && call.arguments[i].copied;
    Value variable = is_copied ? state.pointed(argument) : argument;
    Value before = state.read(variable);
    if (before.is_opaque()) forget_opaque_members(state, before.name, names());
    // What was a number is one again, of which conditions can speak. In Python only what is not
    // understood is given variables.
    bool is_number = before.is_scalar() && !before.is(ValueKind::kString);
    if (variable.is(ValueKind::kAddress) && !before.is_object()) {
      Value after = is_number ? fresh_symbol(instruction, state, "." + std::to_string(i)) : lost;
      if (is_number && is_dynamic_) after.name = lost_identity(after.name, names());
      assign(state, variable, after);
    }
    ObjectId id = state.object_id_of(argument);
    if (id != kNoObject && changes_objects) havoc.object(id);
  }
  const ir::Function* body = program().find_function(call.key, unit());
  bool concerns_places = !body || engine_.relevant_.count(body) != 0;
  if (!is_of_program(call) || !concerns_places || takes_status(call)) return;
  havoc_globals(state, havoc, label, [](Name) { return true; });
  state.globals_lost = true;
  forget_copies(state, names());
  state.thread.current_device = Place::cuda_at(0);
  state.thread.device_is_callers = false;
  state.thread.selected_at = 0;
  state.thread.collectives.is_known = false;
}

// What the callee called, and could not follow, may have changed also what it was not given.
void Activation::lose_other_globals(State& state, const Entry& callee,
                                    const ir::Instruction& instruction) {
  Name label = name("<" + number_of(instruction) + ">");
  renew(label, state);
  Havoc havoc(state, names(), label, gap_of(instruction));
  havoc_globals(state, havoc, label,
                [&](Name global) { return !callee.state.find_global(global); });
  state.globals_lost = true;
}

// Scalars and devices that no code of the program sets are constants.
void Activation::havoc_globals(State& state, Havoc& havoc, Name label,
                               const std::function<bool(Name)>& is_chosen) {
  for (auto& [name, value] : std::vector<std::pair<Name, Value>>(state.globals)) {
    if (!is_chosen(name)) continue;
    ObjectId id = state.object_id_of(value);
    if (id != kNoObject) havoc.object(id);
    Value held = state.read(value);
    if (held.place.kind == PlaceKind::kCell) havoc.object(held.place.symbol);
    bool is_variable = program().is_set(names().text(name));
    if (held.is_tensor() && held.place.kind != PlaceKind::kCell) is_variable = true;
    if (id != kNoObject || !is_variable) continue;
    Value unknown =
        held.is_tensor() ? Value::tensor(Place::unknown(), held.rank) : Value::unknown();
    unknown.gap = havoc.gap();
    if (held.is_scalar())
      unknown = Value::symbol(names().derive(names().text(name) + names().text(label), {label}));
    Value variable = value;
    variable.bound = false;
    if (value.bound)
      assign(state, variable, unknown);
    else
      state.set_global(name, unknown);
  }
}

Value Activation::unknown_call(const ir::Instruction& instruction,
                               const std::vector<Value>& arguments, State& state) {
  const ir::Call& call = instruction.call;
  if (!program().find_function(call.key, unit()) && !call.name.empty() && may_have_place(call.type))
    ++engine_.coverage_.unmodelled[call.name];
  Name label = name("<" + number_of(instruction) + ">");
  renew(label, state);
  havoc(instruction, arguments, state, label);
  Value result = unknown_result(instruction, label, state);
  result.gap = gap_of(instruction);
  return result;
}

Value Activation::unknown_result(const ir::Instruction& instruction, Name label, State& state) {
  const ir::Call& call = instruction.call;
  switch (call.type.kind) {
    case ir::TypeKind::kBool:
    case ir::TypeKind::kInt:
    case ir::TypeKind::kFloat:
    case ir::TypeKind::kString:
      return fresh_symbol(instruction, state);
    case ir::TypeKind::kDevice: {
      // What did not parse is nobody's choice.
      if (call.name.empty() && function_.is_partial) return Value::device(Place::unknown());
      // The same question gets the same answer: a function without arguments names its device.
      std::string name = std::string(ir::last_component(call.name)) + "()";
      return Value::device(Place::chosen(
          this->name(call.arguments.empty() ? name : name + "#" + names().text(label))));
    }
    case ir::TypeKind::kTensor:
      return Value::tensor(Place::unknown());
    case ir::TypeKind::kUnknown:
    case ir::TypeKind::kVoid:
      return Value::unknown();
    default:
      return symbolic(call.type, label, state, &instruction);
  }
}

}  // namespace placecheck::dataflow
