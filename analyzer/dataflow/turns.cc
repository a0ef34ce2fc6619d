// The turns of loops. Those of loops over devices, and over short lists, are kept apart, so that
// what each does with its device, or with its element, is known. A last turn has none after it.
#include <algorithm>

#include "analyzer/dataflow/activation.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/models/libraries/effects.h"

namespace placecheck::dataflow {
namespace {

constexpr int64_t kBelowZero = -1;  // where counting down has ended

// Of loops within loops, all of them together.
constexpr size_t kMostNestedTurns = 32;

bool is_turn(const Value& value) {
  return value.is(ValueKind::kInt) && value.number >= kBelowZero && value.number <= kMostTurns;
}

// By how much the second number is more, where that is a constant.
std::optional<int64_t> step_between(const Value& before, const Value& now, const Names& names) {
  if (before.is(ValueKind::kInt) && now.is(ValueKind::kInt)) return now.number - before.number;
  if (!before.is(ValueKind::kSymbol) || !now.is(ValueKind::kSymbol)) return std::nullopt;
  const std::vector<Name>& parts = names.operands(now.name);
  if (!names.is_term(now.name, "add") || parts.size() != 2) return std::nullopt;
  const size_t literal = parts[0] == before.name ? 1 : 0;
  return parts[1 - literal] == before.name ? names.integer(parts[literal]) : std::nullopt;
}

// The block of the instruction with that result; how many blocks there are if none has it.
uint32_t block_of(const ir::Function& function, ir::Register result) {
  const auto is_it = [&](const ir::Instruction& each) { return each.result == result; };
  const auto home = std::ranges::find_if(function.blocks, [&](const ir::Block& block) {
    return std::ranges::any_of(block.instructions, is_it);
  });
  return static_cast<uint32_t>(home - function.blocks.begin());
}

}  // namespace

bool Activation::counts(uint32_t head, const State& state) const {
  auto counters = layout_.counters.find(head);
  if (counters == layout_.counters.end() || uncounted_.count(head)) return false;
  return std::all_of(counters->second.begin(), counters->second.end(),
                     [&](uint32_t slot) { return is_turn(state.slots[slot]); });
}

bool Activation::counts_elements(uint32_t head, const State& state) const {
  return layout_.range_counters.count(head) && counts(head, state);
}

// A counter that does not advance ends when there are too many states.
bool Activation::is_new_turn(uint32_t head, const State& state) const {
  const bool has_read_on =
      !seen_[head].empty() && have_read_differently(seen_[head].back().state, state);
  return (counts(head, state) || is_past_count(head, state) || has_read_on) &&
         seen_[head].size() < most_states(head, state);
}

bool Activation::have_read_differently(const State& a, const State& b) const {
  const Name reads = engine_.reads_text_ ? engine_.names_.find(kReadsOfText) : 0;
  if (reads == 0) return false;
  for (ObjectId id = 0; id < a.object_count() && id < b.object_count(); ++id) {
    if (!a.has(id) || !b.has(id) || a.share(id) == b.share(id)) continue;
    const Value* one = a.object(id).find(reads);
    const Value* other = b.object(id).find(reads);
    if (!one && !other) continue;
    if (!one || !other || !same(*one, *other)) return true;
  }
  return false;
}

bool Activation::is_past_count(uint32_t head, const State& state) const {
  const auto counters = layout_.counters.find(head);
  return counters != layout_.counters.end() && counters->second.size() == 1 &&
         offset_from_count(state.slots[counters->second[0]], engine_.names_) == 1;
}

size_t Activation::most_states(uint32_t block, const State& state) const {
  const size_t most = engine_.states_per_block();
  const auto loops = std::ranges::count_if(
      layout_.counters_around[block], [&](uint32_t slot) { return is_kept_apart(slot, state); });
  if (loops == 0) return most;
  return std::max<size_t>(most, loops == 1 ? kMostTurns + 1 : kMostNestedTurns);
}

bool Activation::is_first_and_later(const Value& first, const Value& later) const {
  return first.is(ValueKind::kInt) && is_of_later_iteration(later);
}

bool Activation::is_taken_in_turn(size_t slot, const Value& number) const {
  return layout_.is_round_robin[slot] && number.is(ValueKind::kInt) && number.number >= 0 &&
         number.number < engine_.options_.devices;
}

bool Activation::are_different_turns(const State& a, const State& b) const {
  Name count = engine_.names_.intern(kDeviceCount);
  // The join of a first iteration with another one would forget what that one has decided of its
  // number.
  const bool has_numbers = !iteration_symbols_.empty();
  if (have_read_differently(a, b)) return true;
  for (size_t s = 0; s < a.slots.size(); ++s) {
    if (has_numbers &&
        (is_first_and_later(a.slots[s], b.slots[s]) || is_first_and_later(b.slots[s], a.slots[s])))
      return true;
    if (is_taken_in_turn(s, a.slots[s]) != is_taken_in_turn(s, b.slots[s])) return true;
    if (is_taken_in_turn(s, a.slots[s]) && !same(a.slots[s], b.slots[s])) return true;
    if (!layout_.is_counter[s]) continue;
    if (is_first_of_many(a.slots[s]) != is_first_of_many(b.slots[s])) return true;
    bool are_turns = is_turn(a.slots[s]) && is_turn(b.slots[s]);
    if (are_turns && a.slots[s].number != b.slots[s].number) return true;
    // The iteration whose number is that of the devices is none of the first ones.
    auto is_last = [&](const Value& value) {
      return value.is(ValueKind::kSymbol) && engine_.names_.mentions(value.name, count);
    };
    if (is_last(a.slots[s]) != is_last(b.slots[s])) return true;
  }
  return false;
}

// Whether another turn comes must be known, and how many there are small.
void Activation::consider_counting(uint32_t head, bool known, const Frame& frame) {
  if (layout_.device_loops.count(head) || !layout_.counters.count(head)) return;
  // Several states in each of several turns would be too many to keep apart; those of the first
  // ones, one for each device that there is at least, are not.
  const size_t most = engine_.states_per_block() / kMostTurns + 1;
  const bool is_early = std::ranges::all_of(layout_.counters.at(head), [&](uint32_t slot) {
    const Value& turn = frame.state.slots[slot];
    return is_turn(turn) && turn.number <= engine_.options_.devices;
  });
  size_t alike = std::count_if(seen_[head].begin(), seen_[head].end(), [&](const Arrival& seen) {
    return !are_different_turns(seen.state, frame.state);
  });
  // Of loops over ranges, those of one iteration are joined: see crowd().
  bool is_long = alike > (is_early ? 2 * most : most) && !layout_.range_counters.count(head);
  for (const ir::Instruction& each : function_.blocks[head].instructions) {
    if (each.opcode != ir::Opcode::kCall) continue;
    for (const ir::Argument& argument : each.call.arguments) {
      const Value& value = frame.registers[argument.value];
      is_long |= value.is(ValueKind::kInt) && value.number > kMostTurns;
    }
  }
  if (!known || is_long) uncounted_.insert(head);
}

// A loop over devices whose end is not known is one over those that there are at least: there may
// be more, but what goes wrong with these goes wrong where there are no others.
bool Activation::has_had_all_devices(uint32_t head, const State& state) const {
  const std::vector<uint32_t>& counters = layout_.counters.at(head);
  return std::any_of(counters.begin(), counters.end(), [&](uint32_t slot) {
    return state.slots[slot].number >= engine_.options_.devices;
  });
}

std::optional<uint32_t> Activation::counter_up_to_count(uint32_t head, const State& state,
                                                        const Condition& goes_on) const {
  const std::vector<uint32_t>& counters = layout_.counters.at(head);
  Names& names = engine_.names_;
  if (counters.size() != 1 || goes_on.holds || !names.is_term(goes_on.name, "lt"))
    return std::nullopt;
  const std::vector<Name>& operands = names.operands(goes_on.name);
  Name counter = names.intern(std::to_string(state.slots[counters[0]].number));
  bool is_up_to_count = operands[0] == names.intern(kDeviceCount) && operands[1] == counter;
  return is_up_to_count ? std::optional(counters[0]) : std::nullopt;
}

std::optional<Value> Activation::number_of_last_device(const ir::Instruction& branch, uint32_t head,
                                                       const Frame& frame) {
  const auto counters = layout_.counters.find(head);
  const ir::Instruction* comparison = find_definition(branch.operands[0]);
  if (counters == layout_.counters.end() || counters->second.size() != 1 || !comparison)
    return std::nullopt;
  const auto value_of = [&](size_t argument) {
    return frame.state.read(frame.registers[comparison->call.arguments[argument].value]);
  };
  const std::string& name = comparison->call.name;
  if (is_dynamic_ && name == "loop.more") {
    if (const std::optional<Value> last = last_by_count(frame.state, value_of(0), names()))
      return last;
  }
  const Value number = frame.state.slots[counters->second[0]];
  const bool is_behind_assumed =
      counts(head, frame.state) && same(number, Value::integer(engine_.options_.devices - 1));
  if (!is_behind_assumed) return std::nullopt;
  Value bound = Value::symbol(this->name(kDeviceCount));
  if (is_dynamic_) {
    if (name != "loop.more" || !is_range_over_devices(frame.state, value_of(0), names()))
      return std::nullopt;
  } else {
    if ((name != "op.lt" && name != "op.ne") || !same(value_of(0), number)) return std::nullopt;
    const bool is_up_to_count = same(value_of(1), bound);
    if (is_up_to_count && !layout_.loops_beyond_counter.contains(head)) return std::nullopt;
    bound = value_of(1);
    if (!is_up_to_count && !reaches_count(bound, names(), assumed_devices())) return std::nullopt;
  }
  return evaluate("op.sub", bound, Value::integer(1), names(), 0);
}

void Activation::visit_last_device(const ir::Instruction& branch, uint32_t head,
                                   const Frame& frame) {
  const std::optional<Value> number = number_of_last_device(branch, head, frame);
  if (!number) return;
  State last = frame.state;
  last.slots.set(layout_.counters.at(head)[0], *number);
  last.set_global(this->name(kIsLastDevice), Value::boolean(true));
  Turn turn = frame.turn;
  turn.last.insert(head);
  go_to(branch.targets[0], {std::move(last), std::move(turn)}, head);
}

const NumberedLoop* Activation::numbered_loop(const ir::Instruction& instruction) const {
  const auto found = layout_.numbered_loops.find(instruction.result);
  return found == layout_.numbered_loops.end() ? nullptr : &found->second;
}

void Activation::note_iteration_number(uint32_t head, const IterationNumber& number) {
  iteration_symbols_.insert(number.symbol);
  std::vector<IterationNumber>& known = iteration_numbers_[head];
  const auto found = std::ranges::find(known, number.symbol, &IterationNumber::symbol);
  if (found == known.end())
    known.push_back(number);
  else
    *found = number;
}

std::optional<Value> Activation::device_counter(uint32_t head, const State& state) const {
  const ir::Instruction& branch = function_.blocks[head].instructions.back();
  const ir::Instruction* comparison =
      branch.opcode == ir::Opcode::kBranch ? find_definition(branch.operands[0]) : nullptr;
  if (!comparison || comparison->call.arguments.size() < 2) return std::nullopt;
  const auto operand = [&](size_t i) {
    const ir::Instruction* made = find_definition(comparison->call.arguments[i].value);
    if (!made) return Value::unknown();
    const auto slot = layout_.slots.find(made->symbol);
    if (made->opcode == ir::Opcode::kLoad && slot != layout_.slots.end())
      return state.read(state.slots[slot->second]);
    const bool counts_devices =
        made->opcode == ir::Opcode::kCall &&
        models::find_effect(made->call.name) == models::Effect::kDeviceCount;
    return counts_devices ? Value::symbol(engine_.names_.intern(kDeviceCount)) : Value::unknown();
  };
  const std::string& name = comparison->call.name;
  if (name == "loop.more") {
    const bool is_over_devices = is_range_over_devices(state, operand(0), engine_.names_);
    return is_over_devices ? std::optional(operand(1)) : std::nullopt;
  }
  const bool is_over_devices =
      (name == "op.lt" || name == "op.ne") && is_device_count(operand(1), engine_.names_);
  return is_over_devices ? std::optional(operand(0)) : std::nullopt;
}

std::vector<Value> Activation::device_counters(const ir::Instruction& instruction,
                                               const State& state) const {
  std::vector<Value> counters;
  if (instruction.result == ir::kNoRegister) return counters;
  const uint32_t block = block_of(function_, instruction.result);
  for (const auto& [edge, body] : layout_.loops) {
    if (!body.contains(block)) continue;
    if (std::optional<Value> counter = device_counter(edge.second, state))
      counters.push_back(*counter);
  }
  return counters;
}

bool Activation::runs_in_each_iteration(const ir::Instruction& instruction) const {
  const uint32_t block = block_of(function_, instruction.result);
  const std::pair<const std::pair<uint32_t, uint32_t>, std::set<uint32_t>>* inner = nullptr;
  for (const auto& loop : layout_.loops) {
    const bool is_around = loop.second.contains(block) && loop.first.second != block;
    if (is_around && (!inner || loop.second.size() < inner->second.size())) inner = &loop;
  }
  if (instruction.result == ir::kNoRegister || block == function_.blocks.size() || !inner)
    return false;
  // Without the block, no way leads from the head back to it.
  const uint32_t head = inner->first.second;
  std::vector<uint32_t> work{head};
  std::set<uint32_t> reached{block};
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    for (uint32_t target : function_.blocks[at].instructions.back().targets) {
      if (target == head) return false;
      if (inner->second.contains(target) && reached.insert(target).second) work.push_back(target);
    }
  }
  return true;
}

void Activation::end_iteration(uint32_t head, State& state, Turn& turn) {
  const auto numbers = iteration_numbers_.find(head);
  if (numbers == iteration_numbers_.end() || seen_[head].empty()) return;
  const bool moves_nothing = std::ranges::any_of(
      seen_[head], [&](const Arrival& before) { return agree_on_places(before.state, state); });
  for (const IterationNumber& each : numbers->second) {
    if (!may_be_last(each, state, names())) turn.may_leave = false;
    doubt_choices(each, seen_[head].front().state, moves_nothing, state, names());
  }
}

const CountedVariable* Activation::find_counted(uint32_t head, size_t slot) const {
  const auto of_loop = layout_.counted.find(head);
  if (of_loop == layout_.counted.end()) return nullptr;
  const auto counted = of_loop->second.find(static_cast<uint32_t>(slot));
  return counted == of_loop->second.end() ? nullptr : &counted->second;
}

bool Activation::has_bound(uint32_t head) const {
  const auto of_loop = layout_.counted.find(head);
  return of_loop != layout_.counted.end() &&
         std::ranges::any_of(of_loop->second, [](const auto& each) {
           return each.second.constant || each.second.variable;
         });
}

bool Activation::has_passed_bound(uint32_t head, size_t slot, const State& state) const {
  const Value& now = state.slots[slot];
  const CountedVariable* counted = now.is(ValueKind::kInt) ? find_counted(head, slot) : nullptr;
  const std::optional<int64_t> last = counted ? last_value(*counted, state) : std::nullopt;
  return last && now.number > *last;
}

bool Activation::has_ended_apart(uint32_t head, const State& a, const State& b) const {
  const auto of_loop = layout_.counted.find(head);
  return of_loop != layout_.counted.end() &&
         std::ranges::any_of(of_loop->second, [&](const auto& each) {
           return has_passed_bound(head, each.first, a) != has_passed_bound(head, each.first, b);
         });
}

bool Activation::is_set_by_iteration(uint32_t head, size_t slot, const Value& before,
                                     const Value& now) const {
  const bool is_constant = now.is(ValueKind::kBool) || now.is(ValueKind::kInt);
  if (!is_constant || !before.is_scalar() || same(before, now)) return false;
  const CountedVariable* counted = find_counted(head, slot);
  return !counted || (!counted->constant && !counted->variable);
}

bool Activation::is_entry_apart(uint32_t head, const Arrival& before, const Arrival& after) const {
  if (before.turn.may_leave) return false;
  for (size_t s = 0; s < before.state.slots.size(); ++s) {
    if (is_set_by_iteration(head, s, before.state.slots[s], after.state.slots[s])) return true;
  }
  return false;
}

void Activation::end_counting(uint32_t head, State& state) const {
  const auto numbers = iteration_numbers_.find(head);
  if (numbers == iteration_numbers_.end()) return;
  for (const IterationNumber& each : numbers->second) {
    if (!each.last || each.is_of_range) continue;
    for (size_t slot = 0; slot < state.slots.size(); ++slot) {
      const bool is_counter = same(state.slots[slot], Value::symbol(each.symbol));
      if (is_counter && find_counted(head, slot))
        state.slots.set(slot, Value::integer(*each.last + 1));
    }
  }
}

void Activation::count_up(uint32_t head, size_t slot, const Value& now, State& state, Turn& turn) {
  const Value& widened = state.slots[slot];
  const Value& before = seen_[head].back().state.slots[slot];
  const Value& first = seen_[head].front().state.slots[slot];
  const std::optional<int64_t> step = step_between(before, now, names());
  const bool is_widened = widened.is(ValueKind::kSymbol) && !same(widened, now);
  if (!is_widened || !step || *step <= 0 || !first.is(ValueKind::kInt)) return;
  const CountedVariable* counted = find_counted(head, slot);
  if (!counted) return;
  IterationNumber number{widened.name, first.number, std::nullopt, /*is_of_range=*/false};
  if (*step == 1) number.last = last_value(*counted, state);
  note_iteration_number(head, number);
  assume_after_first(number, state, names());
  // The numbers up to the bound are still to come.
  const bool is_inside = now.is(ValueKind::kInt) && number.last && now.number <= *number.last;
  if (is_inside) turn.may_leave = false;
}

bool Activation::is_kept_apart(uint32_t counter, const State& state) const {
  return is_turn(state.slots[counter]) && std::ranges::none_of(uncounted_, [&](uint32_t head) {
           return std::ranges::count(layout_.counters.at(head), counter) != 0;
         });
}

uint32_t Activation::turn_of(uint32_t block, const State& state) const {
  constexpr uint32_t kBase = kMostTurns - kBelowZero + 2;
  uint32_t turn = 0;
  for (uint32_t slot : layout_.counters_around[block]) {
    const int64_t number = state.slots[slot].number - kBelowZero;
    turn = turn * kBase + (is_kept_apart(slot, state) ? static_cast<uint32_t>(number) + 1 : 0);
  }
  return turn;
}

bool Activation::Turn::admit(const Turn& other) {
  bool goes_further = other.may_leave && !may_leave;
  may_leave = may_leave || other.may_leave;
  return std::erase_if(last, [&](uint32_t head) { return !other.last.count(head); }) != 0 ||
         goes_further;
}

void Activation::tell_last_turns(uint32_t block, bool outcome, Turn& turn) const {
  auto tests = layout_.last_turn_tests.find(block);
  if (tests == layout_.last_turn_tests.end()) return;
  for (const LastTurnTest& test : tests->second) {
    if (outcome == test.last_if) turn.last.insert(test.head);
  }
}

}  // namespace placecheck::dataflow
