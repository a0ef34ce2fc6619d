#include "analyzer/dataflow/activation.h"

#include <algorithm>

#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/dataflow/trace.h"

namespace placecheck::dataflow {
namespace {

constexpr uint64_t kMaxBlockRuns = 4000;
// States at a loop's head that may differ in what objects hold for other reasons than the loop.
constexpr size_t kTurnsBeforeWidening = 3;

// Two equal states reached under different conditions: what both assumed remains. True if `kept`
// assumed more before.
bool keep_common_assumptions(State& kept, const State& other) {
  return std::erase_if(kept.assumptions, [&](const auto& entry) {
           return other.assumed(entry.first) != entry.second;
         }) != 0;
}

}  // namespace

Activation::Activation(Engine& engine, const ir::Function& function, Entry& entry, Summary& summary)
    : engine_(engine),
      function_(function),
      layout_(engine.program_.layout(function)),
      entry_(entry),
      summary_(summary),
      seen_(function.blocks.size()) {
  const std::string& wanted = engine.options_.trace_function;
  bool named = function.name == wanted || function.name.ends_with("::" + wanted);
  traced_ = !wanted.empty() && named && engine.options_.trace;
}

void Activation::run() {
  if (function_.blocks.empty()) return;
  State state = entry_.state;
  state.slots.assign(layout_.slots.size(), Value::none());
  enter_arguments(state);
  work_.emplace_back(0, Arrival{std::move(state)});
  while (!work_.empty()) {
    if (++block_runs_ > kMaxBlockRuns || engine_.steps_ > engine_.options_.step_budget) {
      ++engine_.coverage_.budget_exhausted;
      break;
    }
    auto [block, next] = std::move(work_.front());
    work_.pop_front();
    run_block(block, std::move(next));
  }
}

void Activation::enter_arguments(State& state) {
  for (size_t i = 0; i < function_.parameters.size(); ++i) {
    const ir::Parameter& parameter = function_.parameters[i];
    Value value = Value::unknown();
    if (i < entry_.arguments.size()) {
      value = entry_.arguments[i];
    } else if (const ir::Function* given =
                   program().find_function(parameter.default_function, unit())) {
      static const ir::Instruction kDefault;
      Exits exits = invoke(*given, {}, state, kDefault);
      if (!exits.empty()) {
        state = exits.front().state;
        value = exits.front().value;
      }
    }
    value.bound = parameter.by_reference && value.is(ValueKind::kAddress);
    state.slots[slot_index(parameter.name)] = value;
  }
}

void Activation::run_block(uint32_t block, Arrival arrival) {
  std::vector<Frame> work;
  work.push_back(
      {0, std::move(arrival.state), std::vector<Value>(layout_.registers), arrival.may_leave});
  while (!work.empty() && !engine_.is_exhausted()) {
    Frame frame = std::move(work.back());
    work.pop_back();
    step(block, std::move(frame), work);
  }
  if (!work.empty()) ++engine_.coverage_.budget_exhausted;
}

void Activation::step(uint32_t block, Frame frame, std::vector<Frame>& work) {
  const auto& instructions = function_.blocks[block].instructions;
  for (; frame.next < instructions.size(); ++frame.next) {
    const ir::Instruction& instruction = instructions[frame.next];
    ++engine_.steps_;
    switch (instruction.opcode) {
      case ir::Opcode::kCall:
        call(instruction, std::move(frame), work);
        return;
      case ir::Opcode::kJump:
        go_to(instruction.targets[0], std::move(frame.state), block);
        return;
      case ir::Opcode::kBranch:
        branch(instruction, block, frame);
        return;
      case ir::Opcode::kReturn: {
        Value value =
            instruction.operands.empty() ? Value::none() : frame.registers[instruction.operands[0]];
        if (function_.is_entry) leave_program(*this, frame.state, instruction.range);
        leave(std::move(frame.state), value);
        return;
      }
      case ir::Opcode::kRaise:
        summary_.raises = true;
        return;
      default:
        execute(instruction, frame);
        if (traced_ && instruction.result != ir::kNoRegister &&
            instruction.opcode != ir::Opcode::kConst) {
          trace(instruction, frame.registers[instruction.result], frame.state);
        }
    }
  }
}

void Activation::trace(const ir::Instruction& instruction, const Value& result,
                       const State& state) {
  const ir::Range& range = instruction.range;
  std::string what =
      instruction.opcode == ir::Opcode::kCall ? instruction.call.name : instruction.symbol;
  engine_.options_.trace(std::to_string(range.line) + ":" + std::to_string(range.column) + ": " +
                         what + " = " + to_text(result, state, names()));
}

void Activation::execute(const ir::Instruction& i, Frame& frame) {
  State& state = frame.state;
  auto operand = [&](size_t n) { return frame.registers[i.operands[n]]; };
  auto result = [&](const Value& value) {
    Value& target = frame.registers[i.result] = value;
    if (!i.taken) return;
    target.taken = target.is(ValueKind::kAddress);
    if (target.is_pointer()) target.path = 0;
  };
  switch (i.opcode) {
    case ir::Opcode::kConst:
      return result(literal_value(i.literal, names()));
    case ir::Opcode::kLoad:
      return result(load_slot(state, i.symbol));
    case ir::Opcode::kStore:
      return store_slot(state, i.symbol, operand(0));
    case ir::Opcode::kBind: {
      Value address = operand(0);
      address.bound = address.is(ValueKind::kAddress);
      state.slots[slot_index(i.symbol)] = address;
      return;
    }
    case ir::Opcode::kRef:
      return result(address_of_slot(state, i.symbol));
    case ir::Opcode::kField:
      return result(field_address(state, operand(0), i.symbol));
    case ir::Opcode::kIndex:
      fill_member(state, operand(0), &i);
      return result(element_address(state, operand(0), state.read(operand(1)), names()));
    case ir::Opcode::kAssign:
      host_access(*this, state, operand(0), i.range);
      return assign(state, operand(0), operand(1));
    case ir::Opcode::kCopy:
      if (operand(0).is_pointer() && operand(0).path == Value::kWithin) {
        host_access(*this, state, operand(0), i.range);
        return result(fresh_symbol(i, state));
      }
      return result(copy(state, operand(0), &i));
    case ir::Opcode::kClosure: {
      Object closure;
      closure.kind = ObjectKind::kClosure;
      closure.function = program().find_function(i.symbol, unit());
      for (ir::Register capture : i.operands) closure.elements.push_back(frame.registers[capture]);
      ObjectId id = allocate(&i, 0);
      state.put(id, std::move(closure));
      return result(Value::object_ref(id));
    }
    case ir::Opcode::kExit: {
      Value value = load_slot(state, i.symbol);
      const Object* guard = state.object_of(value);
      const Value* restored = guard ? guard->find(name("restored device")) : nullptr;
      if (restored) {
        state.current_device = restored->place;
        state.device_is_callers = restored->number != 0;
      }
      if (guard && !restored) destroy(state, value, i);
      return;
    }
    default:
      return;
  }
}

// Of destructors only those matter that select a device: guards of the project's own.
void Activation::destroy(State& state, const Value& value, const ir::Instruction& instruction) {
  const Object* object = state.object_of(value);
  const ir::Function* destructor =
      object && object->type ? program().find_device_guard(*object->type) : nullptr;
  if (!destructor) return;
  Exits exits = invoke(*destructor, {value}, state, instruction);
  if (!exits.empty()) state = std::move(exits.front().state);
}

void Activation::branch(const ir::Instruction& instruction, uint32_t block, Frame& frame) {
  Value condition = frame.state.read(frame.registers[instruction.operands[0]]);
  // A loop along a chain of objects ends some time.
  bool is_chain = instruction.loop && condition.is_object();
  std::optional<bool> value = is_chain ? std::nullopt : truth(condition);
  bool known = value.has_value();
  bool holds = value.value_or(false);
  std::string_view key;
  bool positive = true;
  bool is_counted = instruction.loop && counts(block, frame.state);
  bool is_decision = !instruction.loop || is_counted;
  if (!known && condition.is(ValueKind::kSymbol)) {
    key = strip_negations(names().text(condition.name), positive);
    if (std::optional<bool> assumed = frame.state.assumed(name(key)); assumed && is_decision) {
      known = true;
      holds = *assumed == positive;
    }
  }
  for (bool taken : {true, false}) {
    if (known && holds != taken) continue;
    // A loop whose condition is not known runs at least once: the loops that prepare all elements
    // of something would otherwise seem to prepare none.
    if (!known && instruction.loop && !taken && !frame.may_leave) continue;
    State next = frame.state;
    if (!known && !key.empty() && is_decision) next.assume(name(key), taken == positive);
    if (!known && taken && is_counted) stop_counting(block, next);
    go_to(instruction.targets[taken ? 0 : 1], std::move(next), block);
  }
}

Value Activation::merge_numbers(const Value& old, const Value& now, uint32_t block,
                                const std::string& where) {
  bool counts =
      now.is_scalar() && old.is_scalar() && !(now.is(ValueKind::kBool) && old.is(ValueKind::kBool));
  if (!counts || same(old, now)) return now;
  return Value::symbol(name("loop<" + std::to_string(block) + "." + where + ">"));
}

// At the head of a loop, numbers that change from turn to turn become symbols and lists that grow
// become open ones, so that the states converge.
void Activation::widen_scalars(uint32_t block, State& state) {
  const State& before = seen_[block].back().state;
  const std::vector<bool>& stored = layout_.stored_in_loop.at(block);
  for (size_t s = 0; s < state.slots.size(); ++s) {
    if (!stored[s]) continue;
    state.slots[s] = merge_numbers(before.slots[s], state.slots[s], block, std::to_string(s));
  }
  for (ObjectId id = 0; id < state.object_count() && id < before.object_count(); ++id) {
    if (!state.has(id) || !before.has(id) || state.share(id) == before.share(id)) continue;
    const Object& old = before.object(id);
    std::string where = "o" + std::to_string(id) + ".";
    Object& object = state.edit(id);
    bool settled = seen_[block].size() < kTurnsBeforeWidening;
    if (object.kind == ObjectKind::kContainer && object.elements.size() != old.elements.size()) {
      open_container(object);
    }
    if (settled) continue;
    for (auto& [field, value] : object.fields) {
      if (const Value* earlier = old.find(field)) {
        value = merge_numbers(*earlier, value, block, where + std::to_string(field));
      }
    }
    for (size_t e = 0; e < object.elements.size() && e < old.elements.size(); ++e) {
      object.elements[e] =
          merge_numbers(old.elements[e], object.elements[e], block, where + std::to_string(e));
    }
  }
}

// What a variable is as a condition on this path, if that is decided.
std::optional<bool> Activation::decided(const State& state, const Value& value) {
  if (value.is(ValueKind::kBool)) return value.number != 0;
  if (!value.is(ValueKind::kSymbol)) return std::nullopt;
  bool positive = true;
  std::string_view key = strip_negations(names().text(value.name), positive);
  std::optional<bool> assumed = state.assumed(name(key));
  return assumed ? std::optional<bool>(*assumed == positive) : std::nullopt;
}

bool Activation::agree_on_conditions(const State& a, const State& b) {
  for (size_t s = 0; s < a.slots.size(); ++s) {
    if (same(a.slots[s], b.slots[s])) continue;
    std::optional<bool> one = decided(a, a.slots[s]);
    std::optional<bool> other = decided(b, b.slots[s]);
    if (one && other && *one != *other) return false;
  }
  return true;
}

// A variable that both paths have decided alike stays decided.
State Activation::join_alike(const State& a, const State& b, uint32_t block) {
  State joined = join(a, b, names(), block);
  for (size_t s = 0; s < a.slots.size(); ++s) {
    std::optional<bool> one = decided(a, a.slots[s]);
    bool undecided = joined.slots[s].is(ValueKind::kSymbol) && !decided(joined, joined.slots[s]);
    if (!one || !undecided || decided(b, b.slots[s]) != one) continue;
    bool positive = true;
    std::string_view key = strip_negations(names().text(joined.slots[s].name), positive);
    joined.assume(name(key), *one == positive);
  }
  return joined;
}

void Activation::go_to(uint32_t block, State state, uint32_t from) {
  for (size_t s = 0; s < state.slots.size(); ++s) {
    if (!layout_.live_in[block][s]) state.slots[s] = Value::none();
  }
  state.collect_garbage(static_cast<ObjectId>(entry_.caller_ids.size()));
  std::vector<Arrival>& seen = seen_[block];
  bool again = layout_.back_edges.count({from, block}) != 0;
  if (again && !seen.empty() && !is_new_turn(block, state)) widen_scalars(block, state);
  bool may_leave = again || !layout_.is_loop_head[block];
  for (Arrival& known : seen) {
    if (!alike(known.state, state) || !agree_on_conditions(known.state, state)) continue;
    if (are_different_turns(known.state, state)) continue;
    if (!same(known.state, state)) {
      State joined = join_alike(known.state, state, block);
      bool is_new = !same(joined, known.state) || known.may_leave < may_leave;
      known = Arrival{std::move(joined), known.may_leave || may_leave};
      if (is_new) work_.emplace_back(block, known);
      return;
    }
    if (!keep_common_assumptions(known.state, state) && known.may_leave >= may_leave) return;
    known.may_leave = known.may_leave || may_leave;
    work_.emplace_back(block, known);
    return;
  }
  if (seen.size() >= engine_.options_.states_per_block) {
    State joined = join(seen.back().state, state, names(), block);
    if (same(joined, seen.back().state) && seen.back().may_leave >= may_leave) return;
    seen.back() = Arrival{std::move(joined), seen.back().may_leave || may_leave};
    work_.emplace_back(block, seen.back());
    return;
  }
  seen.push_back(Arrival{std::move(state), may_leave});
  work_.emplace_back(block, seen.back());
}

void Activation::leave(State state, const Value& value) {
  state.slots.assign(1, value);
  state.collect_garbage(static_cast<ObjectId>(entry_.caller_ids.size()));
  state.slots.clear();
  for (Exit& exit : summary_.exits) {
    if (!alike(exit.value, value) || !alike(exit.state, state)) continue;
    uint32_t end = static_cast<uint32_t>(function_.blocks.size());
    exit.state = join(exit.state, state, names(), end);
    exit.value = join(exit.value, value, name("exit<" + function_.key + ">"));
    return;
  }
  if (summary_.exits.size() < engine_.options_.exits_per_call) {
    summary_.exits.push_back({std::move(state), value});
    return;
  }
  Exit& last = summary_.exits.back();
  uint32_t block = static_cast<uint32_t>(function_.blocks.size());
  last.state = join(last.state, state, names(), block);
  last.value = join(last.value, value, name("exit<" + function_.key + ">"));
}

ObjectId Activation::allocate(const void* at, uint32_t ordinal, SiteId inner) {
  SiteId site = engine_.site_id({at, ordinal, inner});
  auto next = static_cast<ObjectId>(entry_.caller_ids.size() + summary_.sites.size());
  auto [known, is_new] = ids_.try_emplace(site, next);
  if (is_new) summary_.sites.push_back(site);
  return known->second;
}

uint32_t Activation::slot_index(const std::string& slot) const { return layout_.slots.at(slot); }

Value Activation::load_slot(State& state, const std::string& slot) {
  if (slot.starts_with("@")) {
    const Value* value = state.find_global(name(slot));
    return value ? (value->bound ? state.read(*value) : *value) : Value::unknown();
  }
  auto at = layout_.slots.find(slot);
  if (at == layout_.slots.end()) return Value::unknown();
  const Value& value = state.slots[at->second];
  if (!value.bound) return value;
  Value unbound = value;
  unbound.bound = false;
  // What a variable's box holds may itself be an address: a pointer. One step is the variable.
  if (!state.has(value.object)) return Value::unknown();
  const Object& object = state.object(value.object);
  if (value.path == Value::kBoxed && !object.elements.empty()) return object.elements[0];
  if (value.path == Value::kField) {
    const Value* field = object.find(value.name);
    return field ? *field : Value::unknown();
  }
  return state.read(unbound);
}

void Activation::store_slot(State& state, const std::string& slot, const Value& value) {
  if (slot.starts_with("@")) {
    Name global = name(slot);
    const Value* old = state.find_global(global);
    if (old && old->bound) {
      assign(state, *old, value);
    } else {
      state.set_global(global, value);
    }
    return;
  }
  auto at = layout_.slots.find(slot);
  if (at == layout_.slots.end()) return;
  Value old = state.slots[at->second];
  if (!old.bound) {
    state.slots[at->second] = value;
    state.slots[at->second].bound = false;
    return;
  }
  old.bound = false;
  assign(state, old, value);
}

Value Activation::address_of_slot(State& state, const std::string& slot) {
  bool is_global = slot.starts_with("@");
  Value content = Value::unknown();
  if (is_global) {
    if (const Value* value = state.find_global(name(slot))) content = *value;
  } else if (auto at = layout_.slots.find(slot); at != layout_.slots.end()) {
    content = state.slots[at->second];
  }
  if (content.bound) {
    content.bound = false;
    return content;
  }
  Object box;
  box.kind = ObjectKind::kBox;
  box.elements.push_back(content);
  const void* key = is_global ? static_cast<const void*>(&names().text(name(slot)))
                              : static_cast<const void*>(&layout_.slots.find(slot)->first);
  ObjectId id = allocate(key, 0);
  state.put(id, std::move(box));
  Value address = Value::address(id, Value::kBoxed);
  Value bound = address;
  bound.bound = true;
  if (is_global) {
    state.set_global(name(slot), bound);
  } else if (auto at = layout_.slots.find(slot); at != layout_.slots.end()) {
    state.slots[at->second] = bound;
  }
  return address;
}

Value Activation::fresh_symbol(const ir::Instruction& instruction, State& state) {
  std::string key = "<" + std::to_string(reinterpret_cast<uintptr_t>(&instruction)) + ">";
  Name symbol = name(key);
  state.forget(symbol, names());
  return Value::symbol(symbol);
}

Value Activation::symbolic(const ir::Type& type, const std::string& label, State& state,
                           const void* site) {
  uint32_t made = 0;
  return engine_.symbolic(type, label, state, [&] { return allocate(site, made++); }, unit());
}

}  // namespace placecheck::dataflow
