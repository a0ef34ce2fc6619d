#include "analyzer/frontend/clang/builder.h"

namespace placecheck::frontend {
namespace {

ir::Instruction make(ir::Opcode opcode, std::vector<ir::Register> operands = {},
                     std::string symbol = {}) {
  ir::Instruction instruction;
  instruction.opcode = opcode;
  instruction.operands = std::move(operands);
  instruction.symbol = std::move(symbol);
  return instruction;
}

}  // namespace

Builder::Builder(ir::Function& function) : function_(function) { new_block(); }

std::string Builder::new_name(const std::string& wanted) {
  std::string base = wanted.empty() ? "tmp" : wanted;
  std::string name = base;
  while (names_.contains(name)) name = base + "." + std::to_string(++names_[base] + 1);
  names_.emplace(name, 0);
  return name;
}

std::string Builder::new_slot(const std::string& wanted, ir::Type type, const ir::Range& range) {
  std::string name = new_name(wanted);
  function_.slots.push_back({name, std::move(type), range});
  return name;
}

ir::Register Builder::constant(ir::Literal literal) {
  ir::Instruction instruction = make(ir::Opcode::kConst);
  instruction.literal = std::move(literal);
  return emit(std::move(instruction));
}

ir::Register Builder::load(const std::string& slot) {
  return emit(make(ir::Opcode::kLoad, {}, slot));
}

ir::Register Builder::ref(const std::string& slot) {
  return emit(make(ir::Opcode::kRef, {}, slot));
}

ir::Register Builder::field(ir::Register object, const std::string& name) {
  return emit(make(ir::Opcode::kField, {object}, name));
}

ir::Register Builder::index(ir::Register object, ir::Register position) {
  return emit(make(ir::Opcode::kIndex, {object, position}));
}

ir::Register Builder::copy(ir::Register value) { return emit(make(ir::Opcode::kCopy, {value})); }

ir::Register Builder::call(ir::Call call) {
  ir::Instruction instruction = make(ir::Opcode::kCall);
  instruction.call = std::move(call);
  return emit(std::move(instruction));
}

ir::Register Builder::closure(const std::string& function, std::vector<ir::Register> captures) {
  return emit(make(ir::Opcode::kClosure, std::move(captures), function));
}

void Builder::store(const std::string& slot, ir::Register value) {
  emit_void(make(ir::Opcode::kStore, {value}, slot));
}

void Builder::bind(const std::string& slot, ir::Register address) {
  emit_void(make(ir::Opcode::kBind, {address}, slot));
}

void Builder::assign(ir::Register address, ir::Register value) {
  emit_void(make(ir::Opcode::kAssign, {address, value}));
}

void Builder::exit(const std::string& slot) { emit_void(make(ir::Opcode::kExit, {}, slot)); }

uint32_t Builder::new_block() {
  function_.blocks.emplace_back();
  entries_.push_back(0);
  return static_cast<uint32_t>(function_.blocks.size() - 1);
}

void Builder::jump(uint32_t block) {
  if (terminated()) return;
  ir::Instruction instruction = make(ir::Opcode::kJump);
  instruction.targets = {block};
  if (!unreachable()) ++entries_[block];
  emit_void(std::move(instruction));
}

void Builder::branch(ir::Register condition, uint32_t then, uint32_t otherwise, bool loop) {
  if (terminated()) return;
  ir::Instruction instruction = make(ir::Opcode::kBranch, {condition});
  instruction.targets = {then, otherwise};
  instruction.loop = loop;
  if (!unreachable()) ++entries_[then], ++entries_[otherwise];
  emit_void(std::move(instruction));
}

void Builder::ret(ir::Register value) {
  if (terminated()) return;
  ir::Instruction instruction = make(ir::Opcode::kReturn);
  if (value != ir::kNoRegister) instruction.operands = {value};
  emit_void(std::move(instruction));
}

void Builder::raise() {
  if (!terminated()) emit_void(make(ir::Opcode::kRaise));
}

void Builder::add_unknown_branch(uint32_t block, uint32_t other) {
  ir::Instruction& last = function_.blocks[block].instructions.back();
  if (last.opcode != ir::Opcode::kJump) return;
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
  return !instructions.empty() && ir::is_terminator(instructions.back().opcode);
}

bool Builder::unreachable() const {
  return terminated() || (current_ != 0 && entries_[current_] == 0);
}

ir::Instruction* Builder::definition(ir::Register value) {
  if (value >= places_.size()) return nullptr;
  const Place& place = places_[value];
  return &function_.blocks[place.block].instructions[place.index];
}

bool Builder::is_address(ir::Register value) {
  const ir::Instruction* instruction = definition(value);
  if (!instruction) return false;
  return ir::is_address(instruction->opcode);
}

ir::Register Builder::take(ir::Register address) {
  if (is_address(address)) definition(address)->taken = true;
  return address;
}

ir::Register Builder::emit(ir::Instruction instruction) {
  for (ir::Register& operand : instruction.operands) operand = use(operand);
  for (ir::Argument& argument : instruction.call.arguments) argument.value = use(argument.value);
  if (terminated()) enter(new_block());
  ir::Register result = static_cast<ir::Register>(places_.size());
  instruction.result = result;
  auto index = static_cast<uint32_t>(function_.blocks[current_].instructions.size());
  places_.push_back({current_, index});
  append(std::move(instruction));
  return result;
}

void Builder::emit_void(ir::Instruction instruction) {
  for (ir::Register& operand : instruction.operands) operand = use(operand);
  if (terminated()) enter(new_block());
  append(std::move(instruction));
}

void Builder::append(ir::Instruction instruction) {
  instruction.range = range_;
  function_.blocks[current_].instructions.push_back(std::move(instruction));
}

ir::Register Builder::use(ir::Register value) {
  if (value == ir::kNoRegister) return unknown();
  if (terminated()) enter(new_block());
  return places_[value].block == current_ ? value : carry(value);
}

// Only the end of the block that defined the value is touched: no register moves.
ir::Register Builder::carry(ir::Register value) {
  bool address = is_address(value);
  auto [entry, is_new] = carriers_.try_emplace(value);
  if (is_new) {
    entry->second = new_slot("tmp", {}, {});
    ir::Instruction save =
        make(address ? ir::Opcode::kBind : ir::Opcode::kStore, {value}, entry->second);
    save.range = range_;
    auto& instructions = function_.blocks[places_[value].block].instructions;
    bool ended = !instructions.empty() && ir::is_terminator(instructions.back().opcode);
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
  std::vector<ir::Block> kept;
  for (uint32_t block : order) kept.push_back(std::move(blocks[block]));
  blocks = std::move(kept);
}

}  // namespace placecheck::frontend
