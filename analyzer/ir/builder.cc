#include "analyzer/ir/builder.h"

namespace placecheck::ir {
namespace {

Instruction make(Opcode opcode, std::vector<Register> operands = {}, std::string symbol = {}) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.operands = std::move(operands);
  instruction.symbol = std::move(symbol);
  return instruction;
}

}  // namespace

Builder::Builder(Function& function) : function_(function) { new_block(); }

std::string Builder::new_name(const std::string& wanted) {
  std::string base = wanted.empty() ? "tmp" : wanted;
  std::string name = base;
  while (names_.contains(name)) name = base + "." + std::to_string(++names_[base] + 1);
  names_.emplace(name, 0);
  return name;
}

std::string Builder::new_slot(const std::string& wanted, Type type, const Range& range) {
  std::string name = new_name(wanted);
  function_.slots.push_back({name, std::move(type), range});
  return name;
}

Register Builder::constant(Literal literal) {
  Instruction instruction = make(Opcode::kConst);
  instruction.literal = std::move(literal);
  return emit(std::move(instruction));
}

Register Builder::load(const std::string& slot) { return emit(make(Opcode::kLoad, {}, slot)); }

Register Builder::ref(const std::string& slot) { return emit(make(Opcode::kRef, {}, slot)); }

Register Builder::field(Register object, const std::string& name) {
  return emit(make(Opcode::kField, {object}, name));
}

Register Builder::index(Register object, Register position) {
  return emit(make(Opcode::kIndex, {object, position}));
}

Register Builder::copy(Register value) { return emit(make(Opcode::kCopy, {value})); }

Register Builder::call(Call call) {
  Instruction instruction = make(Opcode::kCall);
  instruction.call = std::move(call);
  instruction.call.caught = caught_;
  return emit(std::move(instruction));
}

Register Builder::closure(const std::string& function, std::vector<Register> captures) {
  return emit(make(Opcode::kClosure, std::move(captures), function));
}

void Builder::store(const std::string& slot, Register value) {
  emit_void(make(Opcode::kStore, {value}, slot));
}

void Builder::bind(const std::string& slot, Register address) {
  emit_void(make(Opcode::kBind, {address}, slot));
}

void Builder::assign(Register address, Register value) {
  emit_void(make(Opcode::kAssign, {address, value}));
}

void Builder::exit(const std::string& slot) { emit_void(make(Opcode::kExit, {}, slot)); }

uint32_t Builder::new_block() {
  function_.blocks.emplace_back();
  entries_.push_back(0);
  return static_cast<uint32_t>(function_.blocks.size() - 1);
}

void Builder::jump(uint32_t block) {
  if (terminated()) return;
  Instruction instruction = make(Opcode::kJump);
  instruction.targets = {block};
  if (!unreachable()) ++entries_[block];
  emit_void(std::move(instruction));
}

void Builder::branch(Register condition, uint32_t then, uint32_t otherwise, bool loop) {
  if (terminated()) return;
  Instruction instruction = make(Opcode::kBranch, {condition});
  instruction.targets = {then, otherwise};
  instruction.loop = loop;
  if (!unreachable()) ++entries_[then], ++entries_[otherwise];
  emit_void(std::move(instruction));
}

void Builder::ret(Register value) {
  if (terminated()) return;
  Instruction instruction = make(Opcode::kReturn);
  if (value != kNoRegister) instruction.operands = {value};
  emit_void(std::move(instruction));
}

void Builder::raise() {
  if (!terminated()) emit_void(make(Opcode::kRaise));
}

void Builder::add_unknown_branch(uint32_t block, uint32_t other) {
  Instruction& last = function_.blocks[block].instructions.back();
  if (last.opcode != Opcode::kJump) return;
  uint32_t target = last.targets[0];
  function_.blocks[block].instructions.pop_back();
  --entries_[target];
  uint32_t back = current_;
  enter(block);
  branch(unknown(), target, other);
  enter(back);
}

bool Builder::terminated() const {
  const auto& instructions = function_.blocks[current_].instructions;
  return !instructions.empty() && is_terminator(instructions.back().opcode);
}

bool Builder::unreachable() const {
  return terminated() || (current_ != 0 && entries_[current_] == 0);
}

Instruction* Builder::definition(Register value) {
  if (value >= places_.size()) return nullptr;
  const Place& place = places_[value];
  return &function_.blocks[place.block].instructions[place.index];
}

bool Builder::is_address(Register value) {
  const Instruction* instruction = definition(value);
  if (!instruction) return false;
  return ir::is_address(instruction->opcode);
}

Register Builder::take(Register address) {
  if (is_address(address)) definition(address)->taken = true;
  return address;
}

Register Builder::emit(Instruction instruction) {
  for (Register& operand : instruction.operands) operand = use(operand);
  for (Argument& argument : instruction.call.arguments) argument.value = use(argument.value);
  if (terminated()) enter(new_block());
  Register result = static_cast<Register>(places_.size());
  instruction.result = result;
  auto index = static_cast<uint32_t>(function_.blocks[current_].instructions.size());
  places_.push_back({current_, index});
  append(std::move(instruction));
  return result;
}

void Builder::emit_void(Instruction instruction) {
  for (Register& operand : instruction.operands) operand = use(operand);
  if (terminated()) enter(new_block());
  append(std::move(instruction));
}

void Builder::append(Instruction instruction) {
  instruction.range = range_;
  function_.blocks[current_].instructions.push_back(std::move(instruction));
}

Register Builder::use(Register value) {
  if (value == kNoRegister) return unknown();
  if (terminated()) enter(new_block());
  return places_[value].block == current_ ? value : carry(value);
}

// Only the end of the block that defined the value is touched: no register moves.
Register Builder::carry(Register value) {
  bool address = is_address(value);
  auto [entry, is_new] = carriers_.try_emplace(value);
  if (is_new) {
    entry->second = new_slot("tmp", {}, {});
    Instruction save = make(address ? Opcode::kBind : Opcode::kStore, {value}, entry->second);
    save.range = range_;
    auto& instructions = function_.blocks[places_[value].block].instructions;
    bool ended = !instructions.empty() && is_terminator(instructions.back().opcode);
    instructions.insert(instructions.end() - (ended ? 1 : 0), std::move(save));
  }
  return address ? ref(entry->second) : load(entry->second);
}

void Builder::finish() {
  for (uint32_t block = 0; block < function_.blocks.size(); ++block) {
    enter(block);
    ret();
  }
  drop_unreachable();
}

void Builder::drop_unreachable() {
  auto& blocks = function_.blocks;
  std::vector<uint32_t> order = {0};
  std::vector<uint32_t> new_index(blocks.size(), ~0u);
  new_index[0] = 0;
  for (size_t next = 0; next < order.size(); ++next) {
    for (uint32_t& target : blocks[order[next]].instructions.back().targets) {
      if (new_index[target] == ~0u) {
        new_index[target] = static_cast<uint32_t>(order.size());
        order.push_back(target);
      }
      target = new_index[target];
    }
  }
  std::vector<Block> kept;
  for (uint32_t block : order) kept.push_back(std::move(blocks[block]));
  blocks = std::move(kept);
}

}  // namespace placecheck::ir
