#include "analyzer/dataflow/iteration_numbers.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

// No list has so many elements that are taken one by one.
constexpr int64_t kFirstOfMany = int64_t{1} << 40;

template <size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_computed(const ir::Instruction& each) {
  constexpr std::array<std::string_view, 3> kSums = {"op.add", "op.mul", "op.sub"};
  return each.opcode == ir::Opcode::kCall && is_one_of(each.call.name, kSums);
}

bool is_decided(const ir::Instruction& each) {
  constexpr std::array<std::string_view, 8> kQuestions = {"op.eq", "op.ge",  "op.gt", "op.le",
                                                          "op.lt", "op.mod", "op.ne", "op.not"};
  return each.opcode == ir::Opcode::kBranch ||
         (each.opcode == ir::Opcode::kCall && is_one_of(each.call.name, kQuestions));
}

bool takes(const ir::Instruction& each, const std::set<ir::Register>& values) {
  const auto is_value = [&](ir::Register operand) { return values.contains(operand); };
  return std::ranges::any_of(each.operands, is_value) ||
         std::ranges::any_of(each.call.arguments, [&](const ir::Argument& argument) {
           return is_value(argument.value);
         });
}

// The variables that the loop's own pattern names, `i` and `x` of `for i, x in ...`, and those that
// the front end keeps its parts in.
std::set<std::string_view> variables_of_pattern(const ir::Block& block, ir::Register element) {
  std::set<std::string_view> variables;
  std::set<ir::Register> parts{element}, loads;
  for (const ir::Instruction& each : block.instructions) {
    if (each.opcode == ir::Opcode::kLoad && variables.contains(each.symbol))
      loads.insert(each.result);
    const bool is_part = each.call.name == "object.part" && takes(each, loads);
    if (!is_part && !takes(each, parts)) continue;
    if (each.opcode == ir::Opcode::kStore)
      variables.insert(each.symbol);
    else if (each.result != ir::kNoRegister)
      parts.insert(each.result);
  }
  return variables;
}

bool are_decided_in(const ir::Block& block, const std::set<std::string_view>& variables) {
  std::set<ir::Register> numbers;
  for (const ir::Instruction& each : block.instructions) {
    const bool is_load = each.opcode == ir::Opcode::kLoad && variables.contains(each.symbol);
    const bool is_number = is_load || (is_computed(each) && takes(each, numbers));
    if (is_number) numbers.insert(each.result);
    if (is_decided(each) && takes(each, numbers)) return true;
  }
  return false;
}

// Layers, or what else there is one of for each iteration.
bool fills_list(const ir::Block& block) {
  constexpr std::array<std::string_view, 4> kFilling = {".add_module", ".append", ".extend",
                                                        "object.update"};
  return std::ranges::any_of(block.instructions, [&](const ir::Instruction& each) {
    return each.opcode == ir::Opcode::kCall && is_one_of(each.call.name, kFilling);
  });
}

// Which instruction takes the elements of the loop whose iterations `turn` counts.
const ir::Instruction* find_element(const ir::Block& block, std::string_view turn) {
  std::set<ir::Register> turns;
  for (const ir::Instruction& each : block.instructions) {
    if (each.opcode == ir::Opcode::kLoad && each.symbol == turn) turns.insert(each.result);
    const bool is_element = each.opcode == ir::Opcode::kCall && each.call.name == "loop.element";
    if (is_element && takes(each, turns)) return &each;
  }
  return nullptr;
}

// The value of a term for one value of a symbol in it; nullopt where that is not all it depends on.
std::optional<Value> value_of(Name term, Name symbol, int64_t number, Names& names) {
  if (term == symbol) return Value::integer(number);
  const std::vector<Name> operands = names.operands(term);
  if (operands.empty()) {
    const std::optional<int64_t> literal = names.integer(term);
    return literal ? std::optional(Value::integer(*literal)) : std::nullopt;
  }
  std::vector<Value> values;
  for (Name each : operands) {
    const std::optional<Value> known = value_of(each, symbol, number, names);
    if (!known) return std::nullopt;
    values.push_back(*known);
  }
  // Remainders of negative numbers differ among languages.
  const bool is_negative = std::ranges::any_of(values, [](const Value& v) { return v.number < 0; });
  for (std::string_view base : {"add", "sub", "mul", "mod", "eq", "lt", "not"}) {
    if (!names.is_term(term, base) || (base == "mod" && is_negative)) continue;
    return evaluate("op." + std::string(base), values[0], values.back(), names, /*devices=*/0);
  }
  return std::nullopt;
}

std::optional<Name> after_first(const IterationNumber& number, Names& names) {
  if (!number.first) return std::nullopt;
  const std::optional<Value> condition =
      evaluate("op.lt", Value::integer(*number.first), Value::symbol(number.symbol), names, 0);
  return condition && condition->is(ValueKind::kSymbol) ? std::optional(condition->name)
                                                        : std::nullopt;
}

// Whether a module, or one in it, has some of its state on a GPU: it was moved there.
bool is_module_on_device(const Value& value, const State& state, int depth = 3) {
  if (!value.is_object() || !state.has(value.object) || depth == 0) return false;
  const Object& module = state.object(value.object);
  return module.is_module() &&
         (module.moved || std::ranges::any_of(module.registered, [&](const Registered& each) {
            const Value held = state.read(each.value);
            return (held.is_tensor() && state.place_of(held).is_accelerator()) ||
                   is_module_on_device(held, state, depth - 1);
          }));
}

bool is_placed(const Value& value, const State& state) {
  const Value direct = state.read(value);
  return direct.is(ValueKind::kDevice) || direct.is_pointer() ||
         is_module_on_device(direct, state) ||
         (direct.is_tensor() && state.place_of(direct).is_known());
}

bool fills_list_of_places(const State& before, const State& state) {
  for (ObjectId id = 0; id < state.object_count() && id < before.object_count(); ++id) {
    if (!state.has(id) || !before.has(id) || state.share(id) == before.share(id)) continue;
    const Object& object = state.object(id);
    if (object.kind != ObjectKind::kContainer || object.is_map) continue;
    const bool grows = object.open || object.elements.size() > before.object(id).elements.size();
    if (!grows) continue;
    if (object.open && is_placed(object.rest, state)) return true;
    if (std::ranges::any_of(object.elements, [&](const Value& v) { return is_placed(v, state); }))
      return true;
  }
  return false;
}

// `is_doubtful`: where iterations always decide so, the state is of no run.
void note_choice(Name condition, bool holds, bool is_doubtful, State& state, Names& names) {
  const std::string& text = names.text(condition);
  const Name choice = names.intern("choice<" + text + ">");
  const Name both = names.intern("choices<" + text + ">");
  if (state.assumed(both)) return;
  const std::optional<bool> earlier = state.assumed(choice);
  if (earlier == holds) return;
  if (!earlier) {
    state.assume(choice, holds);
    if (is_doubtful) state.doubts.decide(choice, holds);
    return;
  }
  std::erase_if(state.assumptions, [&](const auto& each) { return each.first == choice; });
  state.doubts.settle(choice);
  state.assume(both, true);
}

// Of a loop that goes on while the variable is below a bound. `changed`: what the loop changes.
CountedVariable bound_of(const std::string& variable, const ir::Block& head,
                         const std::set<std::string_view>& changed, const FunctionLayout& layout) {
  CountedVariable counted;
  if (head.instructions.empty()) return counted;
  const ir::Instruction& branch = head.instructions.back();
  if (!branch.loop || branch.opcode != ir::Opcode::kBranch) return counted;
  const auto made = [&](ir::Register value) { return layout.definitions[value]; };
  const ir::Instruction* comparison = made(branch.operands[0]);
  if (!comparison || comparison->call.arguments.size() != 2) return counted;
  const std::string& name = comparison->call.name;
  if (name != "op.le" && name != "op.lt" && name != "op.ne") return counted;
  const ir::Instruction* left = made(comparison->call.arguments[0].value);
  const ir::Instruction* right = made(comparison->call.arguments[1].value);
  const auto is_load = [](const ir::Instruction* each) {
    return each && each->opcode == ir::Opcode::kLoad;
  };
  if (!is_load(left) || left->symbol != variable || !right) return counted;
  counted.above = name == "op.le" ? 0 : -1;
  if (const int64_t* constant = std::get_if<int64_t>(&right->literal)) counted.constant = *constant;
  const auto slot = is_load(right) ? layout.slots.find(right->symbol) : layout.slots.end();
  if (slot != layout.slots.end() && !changed.contains(slot->first)) counted.variable = slot->second;
  return counted;
}

// The blocks of all loops with a head: a `continue` gives a head several.
std::unordered_map<uint32_t, std::set<uint32_t>> blocks_by_head(const FunctionLayout& layout) {
  std::unordered_map<uint32_t, std::set<uint32_t>> blocks;
  for (const auto& [edge, body] : layout.loops)
    blocks[edge.second].insert(body.begin(), body.end());
  return blocks;
}

}  // namespace

Value first_of_many() { return Value::integer(kFirstOfMany); }

bool is_first_of_many(const Value& turn) {
  return turn.is(ValueKind::kInt) && turn.number == kFirstOfMany;
}

std::string_view turn_of_range(const ir::Block& head) {
  std::unordered_map<ir::Register, std::string_view> loads;
  for (const ir::Instruction& each : head.instructions) {
    if (each.opcode == ir::Opcode::kLoad) loads.emplace(each.result, each.symbol);
    const bool asks = each.opcode == ir::Opcode::kCall && each.call.name == "loop.more";
    if (!asks || each.call.arguments.size() < 2) continue;
    const auto at = loads.find(each.call.arguments[1].value);
    return at == loads.end() ? std::string_view() : at->second;
  }
  return {};
}

void find_numbered_loop(const Loop& loop, FunctionLayout& layout) {
  const auto& blocks = loop.function.blocks;
  const std::string_view turn = turn_of_range(blocks[loop.head]);
  if (turn.empty()) return;
  const ir::Instruction* element = nullptr;
  std::set<std::string_view> variables;
  for (uint32_t block : loop.body) {
    element = find_element(blocks[block], turn);
    if (!element) continue;
    variables = variables_of_pattern(blocks[block], element->result);
    break;
  }
  const bool decides = std::ranges::any_of(
      loop.body, [&](uint32_t block) { return are_decided_in(blocks[block], variables); });
  const bool fills =
      std::ranges::any_of(loop.body, [&](uint32_t block) { return fills_list(blocks[block]); });
  if (!element || (!decides && !fills)) return;
  const bool has_loops = std::ranges::any_of(
      loop.body, [&](uint32_t block) { return block != loop.head && layout.is_loop_head[block]; });
  const NumberedLoop numbered{loop.head, decides, has_loops};
  layout.numbered_loops.emplace(element->result, numbered);
  for (const ir::Block& block : blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (each.opcode != ir::Opcode::kStore || each.symbol != turn) continue;
      layout.numbered_loops.emplace(each.operands[0], numbered);
    }
  }
}

void find_whole_loops(const ir::Function& function, FunctionLayout& layout) {
  for (const auto& [head, body] : blocks_by_head(layout)) {
    const std::string_view turn = turn_of_range(function.blocks[head]);
    const auto leaves = [&, own = head](uint32_t block) {
      const auto& instructions = function.blocks[block].instructions;
      if (block == own || instructions.empty() || layout.in_condition[block]) return false;
      if (instructions.back().opcode == ir::Opcode::kReturn) return true;
      return std::ranges::any_of(instructions.back().targets, [&](uint32_t target) {
        return !body.contains(target) && !layout.ends_in_raise[target];
      });
    };
    if (turn.empty() || std::ranges::any_of(body, leaves)) continue;
    for (uint32_t block : body) {
      if (const ir::Instruction* element = find_element(function.blocks[block], turn))
        layout.whole_loops.insert(element->result);
    }
  }
}

// The variables whose remainder is an index, or an argument: `devices[i % n]`.
static std::set<std::string_view> taken_in_turn(const ir::Block& block,
                                                const FunctionLayout& layout) {
  const auto definition = [&](ir::Register value) {
    return value < layout.definitions.size() ? layout.definitions[value] : nullptr;
  };
  const auto variable_of_remainder = [&](ir::Register value) -> std::string_view {
    const ir::Instruction* remainder = definition(value);
    if (!remainder || remainder->call.name != "op.mod" || remainder->call.arguments.empty())
      return "";
    const ir::Instruction* load = definition(remainder->call.arguments[0].value);
    return load && load->opcode == ir::Opcode::kLoad ? load->symbol : std::string_view();
  };
  std::set<std::string_view> variables;
  for (const ir::Instruction& each : block.instructions) {
    if (each.opcode == ir::Opcode::kIndex)
      variables.insert(variable_of_remainder(each.operands[1]));
    if (each.opcode != ir::Opcode::kCall || each.call.name.starts_with("op.")) continue;
    for (const ir::Argument& argument : each.call.arguments)
      variables.insert(variable_of_remainder(argument.value));
  }
  return variables;
}

void find_counted_variables(const ir::Function& function, FunctionLayout& layout) {
  layout.is_round_robin.assign(layout.slots.size(), false);
  for (const auto& [head, body] : blocks_by_head(layout)) {
    std::unordered_map<std::string_view, size_t> stores;
    std::set<std::string_view> shared;  // their addresses are taken
    std::set<std::string_view> in_turn;
    for (uint32_t block : body) {
      in_turn.merge(taken_in_turn(function.blocks[block], layout));
      for (const ir::Instruction& each : function.blocks[block].instructions) {
        if (each.opcode == ir::Opcode::kStore) ++stores[each.symbol];
        if (each.opcode == ir::Opcode::kRef) shared.insert(each.symbol);
      }
    }
    std::set<std::string_view> changed = shared;
    for (const auto& [variable, count] : stores) changed.insert(variable);
    for (const auto& [variable, count] : stores) {
      const auto slot = layout.slots.find(std::string(variable));
      if (count != 1 || shared.contains(variable) || slot == layout.slots.end()) continue;
      layout.counted[head].emplace(slot->second,
                                   bound_of(slot->first, function.blocks[head], changed, layout));
      if (in_turn.contains(variable)) layout.is_round_robin[slot->second] = true;
    }
  }
}

std::optional<int64_t> last_value(const CountedVariable& counted, const State& state) {
  if (counted.constant) return *counted.constant + counted.above;
  if (!counted.variable) return std::nullopt;
  const Value bound = state.read(state.slots[*counted.variable]);
  return bound.is(ValueKind::kInt) ? std::optional(bound.number + counted.above) : std::nullopt;
}

void assume_after_first(const IterationNumber& number, State& state, Names& names) {
  if (const std::optional<Name> condition = after_first(number, names))
    state.assume(*condition, true);
}

bool may_be_last(const IterationNumber& number, const State& state, Names& names) {
  if (!number.last) return true;
  const std::optional<Name> beyond = after_first(number, names);
  if (number.is_of_range && beyond && !state.assumed(*beyond)) return number.first == number.last;
  return std::ranges::none_of(state.assumptions, [&](const auto& each) {
    const auto& [condition, holds] = each;
    if (!names.mentions(condition, number.symbol)) return false;
    const std::optional<Value> then = value_of(condition, number.symbol, *number.last, names);
    const std::optional<bool> is_true = then ? truth(*then) : std::nullopt;
    return is_true && *is_true != holds;
  });
}

void doubt_choices(const IterationNumber& number, const State& before, bool moves_nothing,
                   State& state, Names& names) {
  // What is so in every iteration behind the first is no choice.
  State later;
  assume_after_first(number, later, names);
  std::vector<std::pair<Name, bool>> choices;
  std::ranges::copy_if(state.assumptions, std::back_inserter(choices), [&](const auto& each) {
    return names.mentions(each.first, number.symbol) && !decided(later, each.first, names);
  });
  if (choices.empty()) return;
  const bool is_doubtful = moves_nothing || fills_list_of_places(before, state);
  for (const auto& [condition, holds] : choices)
    note_choice(condition, holds, is_doubtful, state, names);
}

}  // namespace placecheck::dataflow
