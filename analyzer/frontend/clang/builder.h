// Builds the body of one ir::Function: blocks, slots and registers.
//
// Registers live in one block only; a register that is used in a later block is carried there
// through a temporary slot, so that the lowering need not care where an operand was evaluated.
// One builder serves one function, on one thread.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/ir/ir.h"

namespace placecheck::frontend {

class Builder {
 public:
  explicit Builder(ir::Function& function);

  void set_range(const ir::Range& range) { range_ = range; }
  const ir::Range& range() const { return range_; }

  // A slot of a name that no other variable has; `wanted` where that is free.
  std::string new_slot(const std::string& wanted, ir::Type type, const ir::Range& range);

  bool has_slot(const std::string& name) const { return names_.count(name) != 0; }

  ir::Register constant(ir::Literal literal);
  ir::Register none() { return constant(ir::None{}); }
  ir::Register load(const std::string& slot);
  ir::Register ref(const std::string& slot);
  ir::Register field(ir::Register object, const std::string& name);
  ir::Register index(ir::Register object, ir::Register position);
  ir::Register copy(ir::Register value);
  ir::Register call(ir::Call call);
  ir::Register closure(const std::string& function, std::vector<ir::Register> captures);
  // A call of what nobody knows.
  ir::Register unknown() { return call({}); }
  void store(const std::string& slot, ir::Register value);
  void bind(const std::string& slot, ir::Register address);
  void assign(ir::Register address, ir::Register value);
  void exit(const std::string& slot);

  uint32_t new_block();
  void enter(uint32_t block) { current_ = block; }
  void jump(uint32_t block);
  void branch(ir::Register condition, uint32_t then, uint32_t otherwise, bool loop = false);
  void ret(ir::Register value = ir::kNoRegister);
  void raise();
  uint32_t current() const { return current_; }
  // Turns the jump that ends `block` into a choice between its target and `other`.
  void add_unknown_branch(uint32_t block, uint32_t other);
  // The current block is ended, or nothing leads to it.
  bool unreachable() const;
  bool terminated() const;

  // The instruction that yields `value`.
  ir::Instruction* definition(ir::Register value);
  bool is_address(ir::Register value);
  // Marks an address as meant itself.
  ir::Register take(ir::Register address);

  // Ends open blocks and drops those that nothing reaches.
  void finish();

 private:
  ir::Register emit(ir::Instruction instruction);
  void emit_void(ir::Instruction instruction);
  void append(ir::Instruction instruction);
  ir::Register use(ir::Register value);
  ir::Register carry(ir::Register value);
  void drop_unreachable();

  std::string new_name(const std::string& wanted);

  struct Place {
    uint32_t block;
    uint32_t index;
  };

  ir::Function& function_;
  ir::Range range_;
  uint32_t current_ = 0;
  std::vector<Place> places_;                     // by register
  std::vector<unsigned> entries_;                 // by block: how many jumps lead there
  std::map<ir::Register, std::string> carriers_;  // slots of registers used in later blocks
  std::map<std::string, unsigned> names_;
};

}  // namespace placecheck::frontend
