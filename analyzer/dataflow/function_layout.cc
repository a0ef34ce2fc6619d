#include "analyzer/dataflow/function_layout.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>

#include "analyzer/dataflow/iteration_numbers.h"
#include "analyzer/dataflow/last_turns.h"
#include "analyzer/models/libraries/effects.h"

namespace placecheck::dataflow {
namespace {

bool uses_slot(const ir::Instruction& instruction) {
  return instruction.opcode == ir::Opcode::kLoad || instruction.opcode == ir::Opcode::kRef ||
         instruction.opcode == ir::Opcode::kExit;
}

using Predecessors = std::vector<std::vector<uint32_t>>;

Predecessors predecessors_of(const ir::Function& function) {
  Predecessors predecessors(function.blocks.size());
  for (uint32_t block = 0; block < function.blocks.size(); ++block) {
    const auto& instructions = function.blocks[block].instructions;
    if (instructions.empty()) continue;
    for (uint32_t target : instructions.back().targets) predecessors[target].push_back(block);
  }
  return predecessors;
}

// The blocks that concern the liveness of one variable.
struct UsesOfSlot {
  bool addressed = false;         // it may be read and written through a pointer anywhere
  std::vector<uint32_t> exposed;  // blocks that read it before they store
  std::vector<uint32_t> stored;   // blocks that store it
};

std::vector<UsesOfSlot> uses_of_slots(const ir::Function& function, const FunctionLayout& layout) {
  std::vector<UsesOfSlot> all(layout.slots.size());
  for (const ir::Parameter& parameter : function.parameters) {
    auto at = layout.slots.find(parameter.name);
    if (parameter.by_reference && at != layout.slots.end()) all[at->second].addressed = true;
  }
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    for (const ir::Instruction& i : function.blocks[b].instructions) {
      auto at = layout.slots.find(i.symbol);
      if (at == layout.slots.end()) continue;
      UsesOfSlot& uses = all[at->second];
      bool is_stored_here = !uses.stored.empty() && uses.stored.back() == b;
      if (uses_slot(i) && !is_stored_here) uses.exposed.push_back(b);
      if (i.opcode == ir::Opcode::kStore && !is_stored_here) uses.stored.push_back(b);
      if (i.opcode == ir::Opcode::kRef || i.opcode == ir::Opcode::kBind) uses.addressed = true;
    }
  }
  return all;
}

// A variable is kept while it may be read; `store` starts it anew. Each is followed backwards from
// its reads, so that the time is that of the answer however deeply loops are nested.
void compute_liveness(const ir::Function& function, const Predecessors& predecessors,
                      FunctionLayout& layout) {
  const std::vector<UsesOfSlot> uses = uses_of_slots(function, layout);
  std::vector<bool> always(uses.size());
  for (size_t slot = 0; slot < uses.size(); ++slot) always[slot] = uses[slot].addressed;
  layout.live_in.assign(function.blocks.size(), always);
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> last_stored(function.blocks.size(), kNone);
  for (uint32_t slot = 0; slot < uses.size(); ++slot) {
    if (uses[slot].addressed) continue;
    for (uint32_t block : uses[slot].stored) last_stored[block] = slot;
    std::vector<uint32_t> work = uses[slot].exposed;
    for (uint32_t block : work) layout.live_in[block][slot] = true;
    while (!work.empty()) {
      uint32_t block = work.back();
      work.pop_back();
      for (uint32_t before : predecessors[block]) {
        if (last_stored[before] == slot || layout.live_in[before][slot]) continue;
        layout.live_in[before][slot] = true;
        work.push_back(before);
      }
    }
  }
}

// Reverse postorder, the way out of a loop visited before the way into it.
void rank_blocks(const ir::Function& function, FunctionLayout& layout) {
  uint32_t next_rank = static_cast<uint32_t>(function.blocks.size());
  layout.ranks.assign(function.blocks.size(), next_rank);
  if (function.blocks.empty()) return;
  auto targets_of = [&](uint32_t block) -> const std::vector<uint32_t>* {
    const auto& instructions = function.blocks[block].instructions;
    return instructions.empty() ? nullptr : &instructions.back().targets;
  };
  auto count_of = [&](uint32_t block) { return targets_of(block) ? targets_of(block)->size() : 0; };
  std::vector<bool> is_seen(function.blocks.size(), false);
  std::vector<std::pair<uint32_t, size_t>> path{{0, count_of(0)}};
  is_seen[0] = true;
  while (!path.empty()) {
    auto& [block, left] = path.back();
    if (left == 0) {
      layout.ranks[block] = --next_rank;
      path.pop_back();
      continue;
    }
    uint32_t target = (*targets_of(block))[--left];
    if (is_seen[target]) continue;
    is_seen[target] = true;
    path.emplace_back(target, count_of(target));
  }
}

// An edge that leads back opens all blocks that lie between its ends in the order again; where such
// stretches overlap, as loops through goto do, one may lead into the other.
void find_last_ranks(const ir::Function& function, FunctionLayout& layout) {
  const auto count = static_cast<uint32_t>(function.blocks.size());
  std::vector<uint32_t> reach(count + 1);  // by rank: the end of the stretch that begins there
  std::iota(reach.begin(), reach.end(), 0);
  for (uint32_t block = 0; block < count; ++block) {
    const auto& instructions = function.blocks[block].instructions;
    const bool is_reached = layout.ranks[block] < count;
    if (instructions.empty() || !is_reached) continue;
    for (uint32_t target : instructions.back().targets) {
      uint32_t& end = reach[layout.ranks[target]];
      end = std::max(end, layout.ranks[block]);
    }
  }
  std::vector<uint32_t> last(reach.size());
  for (uint32_t rank = 0; rank < reach.size();) {
    uint32_t end = reach[rank];
    for (uint32_t inner = rank; inner <= end; ++inner) end = std::max(end, reach[inner]);
    for (; rank <= end; ++rank) last[rank] = end;
  }
  for (uint32_t rank : layout.ranks) layout.last_ranks.push_back(last[rank]);
  layout.by_last_rank.resize(count);
  std::iota(layout.by_last_rank.begin(), layout.by_last_rank.end(), 0);
  std::ranges::stable_sort(layout.by_last_rank, {},
                           [&](uint32_t block) { return layout.last_ranks[block]; });
}

// Depth first from the entry; an edge to a block on the way is a back edge. Iterative, since
// generated functions have very many blocks.
void find_back_edges(const ir::Function& function, FunctionLayout& layout) {
  if (function.blocks.empty()) return;
  enum class Mark : uint8_t { kNew, kOpen, kDone };
  std::vector<Mark> marks(function.blocks.size(), Mark::kNew);
  std::vector<std::pair<uint32_t, size_t>> path{{0, 0}};
  marks[0] = Mark::kOpen;
  while (!path.empty()) {
    auto& [block, next] = path.back();
    const auto& instructions = function.blocks[block].instructions;
    if (instructions.empty() || next == instructions.back().targets.size()) {
      marks[block] = Mark::kDone;
      path.pop_back();
      continue;
    }
    uint32_t target = instructions.back().targets[next++];
    if (marks[target] == Mark::kOpen) {
      layout.loops.try_emplace({block, target});
      layout.is_loop_head[target] = true;
    } else if (marks[target] == Mark::kNew) {
      marks[target] = Mark::kOpen;
      path.emplace_back(target, 0);
    }
  }
}

bool is_of_devices(const std::string& name) {
  return name == "launch" || name.starts_with("cuda") || name.starts_with("cublas") ||
         name.starts_with("nccl");
}

std::vector<size_t> arguments_that_name_devices(const std::optional<models::Effect>& effect) {
  if (effect == models::Effect::kAskPeer) return {1, 2};
  if (effect == models::Effect::kEnablePeer) return {0};
  return {};
}

using Loads = std::unordered_map<ir::Register, std::string_view>;

// What the turns of a loop do with a variable: take it as the number of a device, or of an element.
// One that counts the elements which a loop puts into a list numbers these too.
class LoopBody {
 public:
  explicit LoopBody(const NumberUses& uses) : uses_(uses) {}

  void add(const ir::Block& block) {
    Loads loaded;
    Loads elements;  // the variables that number them
    Loads named;
    std::unordered_map<ir::Register, std::string_view> closures;
    std::set<ir::Register> selecting;  // functions, as values
    fields_.clear();
    sums_.clear();
    texts_.clear();
    numbers_as_texts_.clear();
    for (const ir::Instruction& each : block.instructions) {
      if (each.opcode == ir::Opcode::kLoad) loaded.emplace(each.result, each.symbol);
      if (each.opcode == ir::Opcode::kRef || each.opcode == ir::Opcode::kLoad)
        named.emplace(each.result, each.symbol);
      if (each.opcode == ir::Opcode::kIndex) {
        if (auto number = loaded.find(each.operands[1]); number != loaded.end())
          elements.emplace(each.result, number->second);
        if (auto array = named.find(each.operands[0]); array != named.end())
          arrays.insert(array->second);
      }
      concerns_devices |=
          each.opcode == ir::Opcode::kAssign && is_own_number(loaded, elements, each);
      add_fields(loaded, each);
      if (each.opcode == ir::Opcode::kClosure) closures.emplace(each.result, each.symbol);
      for (size_t i : arguments_that_number_elements(uses_, each, closures)) {
        add_number(loaded, each.opcode == ir::Opcode::kClosure ? each.operands[i]
                                                               : each.call.arguments[i].value);
      }
      if (each.opcode == ir::Opcode::kIndex) {
        add_number(loaded, each.operands[1]);
        for (std::string_view counter : operands_of_sum(loaded, each.operands[1]))
          numbers.insert(counter);
      }
      if (each.opcode == ir::Opcode::kStore) {
        for (std::string_view counter : operands_of_sum(loaded, each.operands[0]))
          sums_in_variables_.emplace(each.symbol, counter);
      }
      if (const auto* text = std::get_if<std::string>(&each.literal))
        texts_.emplace(each.result, *text);
      if (each.opcode == ir::Opcode::kCall) add_call(loaded, each);
      if (each.opcode == ir::Opcode::kCall) add_text(loaded, each);
      if (each.opcode == ir::Opcode::kClosure && hands_on(each)) selecting.insert(each.result);
      bool starts = std::ranges::any_of(each.call.arguments, [&](const ir::Argument& argument) {
        return selecting.count(argument.value) != 0;
      });
      if (starts || hands_on(each)) {
        add_all(loaded, each);
        computes_devices = true;
      }
    }
  }

  // After all blocks: where a variable numbers elements, so do those that it is the sum of.
  void add_counters_of_sums() {
    for (const auto& [variable, counter] : sums_in_variables_)
      if (numbers.contains(variable)) numbers.insert(counter);
  }

  bool concerns_devices = false;
  bool computes_devices = false;  // selects some by a number computed from a variable's
  bool fills_a_list = false;
  std::set<std::string_view> numbers;  // variables that number devices or elements
  std::set<std::string_view> arrays;   // whose elements are named

 private:
  void add_number(const Loads& loads, ir::Register value) {
    if (auto at = loads.find(value); at != loads.end()) numbers.insert(at->second);
  }

  // Of what a number was computed, also by a function of the project: `first + i` names the device,
  // or the element, of turn `i`.
  void add_parts(const Loads& loads, ir::Register value) {
    add_number(loads, value);
    if (auto sum = sums_.find(value); sum != sums_.end()) {
      computes_devices |= sum->second->name == "op.add" || !sum->second->key.empty();
      for (const ir::Argument& part : sum->second->arguments) add_parts(loads, part.value);
    }
  }

  // Two variables: the counters of two loops number an element together, `outputs[tick - stage]`.
  std::vector<std::string_view> operands_of_sum(const Loads& loads, ir::Register value) const {
    const auto sum = sums_.find(value);
    if (sum == sums_.end() || (sum->second->name != "op.sub" && sum->second->name != "op.add"))
      return {};
    const auto left = loads.find(sum->second->arguments[0].value);
    const auto right = loads.find(sum->second->arguments[1].value);
    if (left == loads.end() || right == loads.end()) return {};
    return {left->second, right->second};
  }

  void add_sum(const Loads& loads, const ir::Instruction& each) {
    const auto& parts = each.call.arguments;
    if (!each.call.key.empty()) sums_.emplace(each.result, &each.call);
    if (parts.size() != 2 || !each.call.name.starts_with("op.")) return;
    sums_.emplace(each.result, &each.call);
    if (each.call.type.kind == ir::TypeKind::kPointer) add_number(loads, parts[1].value);
  }

  void add_call(const Loads& loads, const ir::Instruction& each) {
    const ir::Call& call = each.call;
    concerns_devices |= is_of_devices(call.name);
    add_sum(loads, each);
    std::optional<models::Effect> effect = models::find_effect(call.name);
    bool selects = models::selects_device(effect) && !call.arguments.empty();
    const ir::Register number = number_of_named_device(each);
    concerns_devices |= loads.count(number) != 0;
    fills_a_list |= effect == models::Effect::kAppend;
    if (selects) add_parts(loads, call.arguments[0].value);
    if (number != ir::kNoRegister) add_parts(loads, number);
    if (effect == models::Effect::kChildOfContainer && call.arguments.size() == 2)
      add_number(loads, call.arguments[1].value);
    for (size_t i : arguments_that_name_devices(effect)) {
      if (i < call.arguments.size()) add_parts(loads, call.arguments[i].value);
    }
  }

  // `f"cuda:{i}"`, `"cuda:" + str(i + 1)`, `"cuda:%d" % i` and `"cuda:{}".format(i)`.
  void add_text(const Loads& loads, const ir::Instruction& each) {
    const auto& parts = each.call.arguments;
    const std::string& name = each.call.name;
    if (parts.size() == 1 &&
        (name == "object.text" || name == "builtins.str" || name == "std::to_string"))
      numbers_as_texts_.emplace(each.result, parts[0].value);
    if (parts.size() != 2) return;
    auto text = texts_.find(parts[0].value);
    if (text == texts_.end() || !text->second.starts_with("cuda:")) return;
    const bool is_formatted = name == "op.mod" || name == ".format";
    if (!is_formatted && name != "op.add" && name != "std::operator+") return;
    ir::Register number = parts[1].value;
    if (const auto converted = numbers_as_texts_.find(number); converted != numbers_as_texts_.end())
      number = converted->second;
    else if (!is_formatted)
      return;
    concerns_devices |= loads.contains(number) || sums_.contains(number);
    add_parts(loads, number);
  }

  // `devices[i] = i`, `devices[i] = i / 2`: such lists name devices to libraries.
  bool is_own_number(const Loads& loaded, const Loads& elements,
                     const ir::Instruction& each) const {
    const auto element = elements.find(each.operands[0]);
    ir::Register value = each.operands[1];
    if (const auto sum = sums_.find(value); sum != sums_.end() && sum->second->key.empty())
      value = sum->second->arguments[0].value;
    const auto number = loaded.find(value);
    return element != elements.end() && number != loaded.end() && element->second == number->second;
  }

  // `record.device = i` and `Record{.device = i}`, where devices are selected by that.
  void add_fields(const Loads& loads, const ir::Instruction& each) {
    auto add = [&](std::string_view field, ir::Register value) {
      if (!uses_.device_fields.count(std::string(field)) || !loads.count(value)) return;
      concerns_devices = true;
      add_number(loads, value);
    };
    if (each.opcode == ir::Opcode::kField) fields_.emplace(each.result, each.symbol);
    if (each.opcode == ir::Opcode::kAssign) {
      if (auto at = fields_.find(each.operands[0]); at != fields_.end())
        add(at->second, each.operands[1]);
    }
    if (each.opcode != ir::Opcode::kCall || each.call.kind != ir::CallKind::kConstruct) return;
    for (const ir::Argument& argument : each.call.arguments)
      if (!argument.name.empty()) add(argument.name, argument.value);
  }

  // To a function of the project that selects a device.
  bool hands_on(const ir::Instruction& each) const {
    const bool is_value = each.opcode == ir::Opcode::kClosure;
    const std::string& key = is_value ? each.symbol : each.call.key;
    return (!key.empty() && uses_.selecting.count(key) != 0) ||
           (is_value && models::selects_device(models::find_effect(key)));
  }

  void add_all(const Loads& loads, const ir::Instruction& each) {
    concerns_devices = true;
    for (ir::Register capture : each.operands) add_number(loads, capture);
    for (const ir::Argument& argument : each.call.arguments) add_number(loads, argument.value);
  }

  const NumberUses& uses_;
  std::multimap<std::string_view, std::string_view> sums_in_variables_;
  // In the block at hand.
  std::unordered_map<ir::Register, std::string_view> fields_;
  std::unordered_map<ir::Register, const ir::Call*> sums_;
  std::unordered_map<ir::Register, std::string_view> texts_;
  std::unordered_map<ir::Register, ir::Register> numbers_as_texts_;
};

void find_counters(const ir::Function& function, uint32_t head, const std::vector<bool>& stored,
                   const LoopBody& body, FunctionLayout& layout) {
  if (body.concerns_devices) layout.device_loops.insert(head);
  if (body.computes_devices) layout.loops_beyond_counter.insert(head);
  std::string_view turn = turn_of_range(function.blocks[head]);
  const auto counted = layout.counted.find(head);
  const auto numbers_new_elements = [&](uint32_t slot) {
    return body.fills_a_list && counted != layout.counted.end() && counted->second.contains(slot);
  };
  for (const ir::Instruction& each : function.blocks[head].instructions) {
    auto slot = layout.slots.find(each.symbol);
    bool is_load = each.opcode == ir::Opcode::kLoad && slot != layout.slots.end();
    if (!is_load || !stored[slot->second]) continue;
    const bool is_number = each.symbol == turn || body.numbers.contains(each.symbol) ||
                           numbers_new_elements(slot->second);
    if (!is_number) continue;
    layout.counters[head].push_back(slot->second);
    if (each.symbol == turn) layout.range_counters.emplace(head, slot->second);
    layout.is_counter[slot->second] = true;
  }
}

// Of the loops of one function, all together. Loops through goto may overlap without being nested,
// so that their blocks grow with the square of the function.
constexpr size_t kMaxBlocksOfLoops = 200'000;

// The blocks that lead from the head to the edge that closes the loop.
std::set<uint32_t> blocks_of_loop(const Predecessors& predecessors, uint32_t from, uint32_t head) {
  std::set<uint32_t> body{head};
  std::vector<uint32_t> work{from};
  while (!work.empty()) {
    uint32_t block = work.back();
    work.pop_back();
    if (!body.insert(block).second) continue;
    work.insert(work.end(), predecessors[block].begin(), predecessors[block].end());
  }
  return body;
}

// The branch at a block's end that stays in a loop or leaves it.
const ir::Instruction* decision_of_loop(const ir::Block& block) {
  bool decides = !block.instructions.empty() && block.instructions.back().loop;
  return decides ? &block.instructions.back() : nullptr;
}

// A condition of several parts, `while (a && b)`, is decided some blocks after the loop's head.
void find_conditions(const ir::Function& function, const Predecessors& predecessors, uint32_t from,
                     uint32_t head, FunctionLayout& layout) {
  const std::set<uint32_t>& body = layout.loops.at({from, head});
  for (uint32_t block : body) {
    const ir::Instruction* decision = decision_of_loop(function.blocks[block]);
    if (!decision || block == head || block == from || body.count(decision->targets[1])) continue;
    for (uint32_t part : blocks_of_loop(predecessors, block, head)) {
      if (part != head) layout.in_condition[part] = true;
    }
  }
}

bool holds_records(const ir::Slot& slot) {
  const ir::Type& type = slot.type;
  bool holds = type.kind == ir::TypeKind::kContainer || type.kind == ir::TypeKind::kPointer;
  return holds && !type.arguments.empty() && type.arguments[0].kind == ir::TypeKind::kRecord;
}

using LoopBodies = std::map<std::pair<uint32_t, uint32_t>, LoopBody>;

// A loop that prepares, or looks at, the records of all devices is one over the devices as well.
void share_records_of_devices(const ir::Function& function, LoopBodies& bodies) {
  std::set<std::string_view> records;
  for (const ir::Slot& slot : function.slots) {
    bool is_of_devices =
        holds_records(slot) && std::any_of(bodies.begin(), bodies.end(), [&](const auto& each) {
          return each.second.concerns_devices && each.second.arrays.count(slot.name) != 0;
        });
    if (is_of_devices) records.insert(slot.name);
  }
  for (auto& [edge, body] : bodies) {
    body.concerns_devices |= std::any_of(body.arrays.begin(), body.arrays.end(),
                                         [&](auto array) { return records.count(array) != 0; });
  }
}

void find_counters_around(uint32_t head, const std::set<uint32_t>& body, FunctionLayout& layout) {
  auto counters = layout.counters.find(head);
  if (counters == layout.counters.end()) return;
  for (uint32_t block : body) {
    for (uint32_t counter : counters->second) {
      std::vector<uint32_t>& around = layout.counters_around[block];
      if (std::find(around.begin(), around.end(), counter) == around.end())
        around.push_back(counter);
    }
  }
}

// The variable of a text that the instruction appends to.
std::optional<uint32_t> text_appended_to(const ir::Instruction& instruction,
                                         const FunctionLayout& layout) {
  const bool appends = instruction.opcode == ir::Opcode::kCall &&
                       models::find_effect(instruction.call.name) == models::Effect::kAppendText;
  if (!appends || instruction.call.arguments.empty()) return std::nullopt;
  const ir::Instruction* text = layout.definitions[instruction.call.arguments[0].value];
  if (!text || text->opcode != ir::Opcode::kRef) return std::nullopt;
  const auto slot = layout.slots.find(text->symbol);
  return slot == layout.slots.end() ? std::nullopt : std::optional(slot->second);
}

// The blocks of each loop, and which variables change from turn to turn: those stored in one that
// leads back to the head. A loop beyond the budget is taken to store all of them.
void find_loops(const ir::Function& function, const Predecessors& predecessors,
                const NumberUses& uses, FunctionLayout& layout) {
  LoopBodies bodies;
  size_t blocks = 0;
  for (auto& [edge, body] : layout.loops) {
    const auto [from, head] = edge;
    std::vector<bool>& stored = layout.stored_in_loop[head];
    if (blocks > kMaxBlocksOfLoops) {
      stored.assign(layout.slots.size(), true);
      body = {from, head};
      bodies.try_emplace(edge, uses);
      continue;
    }
    body = blocks_of_loop(predecessors, from, head);
    blocks += body.size();
    stored.resize(layout.slots.size());
    LoopBody& content = bodies.try_emplace(edge, uses).first->second;
    for (uint32_t block : body) {
      if (block == head && from != head) continue;
      content.add(function.blocks[block]);
      for (const ir::Instruction& instruction : function.blocks[block].instructions) {
        auto slot = layout.slots.find(instruction.symbol);
        bool is_store = instruction.opcode == ir::Opcode::kStore && slot != layout.slots.end();
        if (is_store) stored[slot->second] = true;
        if (const std::optional<uint32_t> text = text_appended_to(instruction, layout))
          layout.texts_of_loop[head].insert(*text);
      }
    }
    content.add_counters_of_sums();
  }
  share_records_of_devices(function, bodies);
  find_counted_variables(function, layout);
  for (const auto& [edge, body] : layout.loops) {
    const auto [from, head] = edge;
    find_counters(function, head, layout.stored_in_loop[head], bodies.at(edge), layout);
    find_last_turn_tests({function, head, body}, layout);
    find_numbered_loop({function, head, body}, layout);
    find_conditions(function, predecessors, from, head, layout);
    find_counters_around(head, body, layout);
  }
}

// Loops whose body never comes back: it is left by break or return.
void find_broken_loops(const ir::Function& function, FunctionLayout& layout) {
  std::set<uint32_t> comes_back;
  for (const auto& [edge, body] : layout.loops) comes_back.insert(edge.first);
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    bool decides = decision_of_loop(function.blocks[b]) != nullptr;
    if (decides && !comes_back.count(b) && !layout.in_condition[b]) layout.is_loop_head[b] = true;
  }
}

// Where a block may go: `while True` goes one way only.
std::vector<uint32_t> targets_of(const ir::Block& block) {
  if (block.instructions.empty()) return {};
  const ir::Instruction& last = block.instructions.back();
  const ir::Instruction* condition =
      last.opcode == ir::Opcode::kBranch ? ir::find_definition(block, last.operands[0]) : nullptr;
  const auto* holds = condition ? std::get_if<bool>(&condition->literal) : nullptr;
  if (holds) return {last.targets[*holds ? 0 : 1]};
  return last.targets;
}

// Needs to know which blocks end in exceptions.
void find_only_ways_out(const ir::Function& function, FunctionLayout& layout) {
  std::map<uint32_t, std::set<uint32_t>> bodies;  // by head
  for (const auto& [edge, body] : layout.loops)
    bodies[edge.second].insert(body.begin(), body.end());
  for (const auto& [head, body] : bodies) {
    std::set<std::pair<uint32_t, uint32_t>> ways;
    for (uint32_t block : body) {
      for (uint32_t target : targets_of(function.blocks[block]))
        if (!body.contains(target) && !layout.ends_in_raise[target]) ways.emplace(block, target);
    }
    if (ways.size() == 1) layout.only_ways_out.insert(*ways.begin());
  }
}

// From the exceptions backwards; what loops may go on for ever, and ends in none.
void find_raising_blocks(const ir::Function& function, const Predecessors& predecessors,
                         FunctionLayout& layout) {
  layout.ends_in_raise.assign(function.blocks.size(), false);
  std::vector<uint32_t> work(function.blocks.size());
  std::iota(work.begin(), work.end(), 0);
  while (!work.empty()) {
    uint32_t block = work.back();
    work.pop_back();
    const auto& instructions = function.blocks[block].instructions;
    if (layout.ends_in_raise[block] || instructions.empty()) continue;
    const ir::Instruction& last = instructions.back();
    bool raises = last.opcode == ir::Opcode::kRaise ||
                  (!last.targets.empty() && std::ranges::all_of(last.targets, [&](uint32_t target) {
                    return layout.ends_in_raise[target];
                  }));
    if (!raises) continue;
    layout.ends_in_raise[block] = true;
    work.insert(work.end(), predecessors[block].begin(), predecessors[block].end());
  }
}

}  // namespace

FunctionLayout lay_out(const ir::Function& function, const ir::Unit* unit, const NumberUses& uses) {
  FunctionLayout layout;
  layout.function = &function;
  layout.unit = unit;
  auto add = [&](const std::string& name) {
    layout.slots.emplace(name, static_cast<uint32_t>(layout.slots.size()));
  };
  for (const ir::Parameter& parameter : function.parameters) add(parameter.name);
  for (const ir::Slot& slot : function.slots) add(slot.name);
  layout.is_loop_head.assign(function.blocks.size(), false);
  layout.in_condition.assign(function.blocks.size(), false);
  layout.is_counter.assign(layout.slots.size(), false);
  layout.counters_around.resize(function.blocks.size());
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& instruction : block.instructions) {
      if (instruction.result == ir::kNoRegister) continue;
      if (instruction.result >= layout.definitions.size())
        layout.definitions.resize(instruction.result + 1);
      layout.definitions[instruction.result] = &instruction;
    }
  }
  rank_blocks(function, layout);
  find_last_ranks(function, layout);
  find_back_edges(function, layout);
  const Predecessors predecessors = predecessors_of(function);
  find_loops(function, predecessors, uses, layout);
  find_broken_loops(function, layout);
  compute_liveness(function, predecessors, layout);
  find_raising_blocks(function, predecessors, layout);
  find_only_ways_out(function, layout);
  find_whole_loops(function, layout);
  return layout;
}

}  // namespace placecheck::dataflow
