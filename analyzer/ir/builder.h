// Builds the body of one Function: blocks, slots and registers.
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

namespace placecheck::ir {

class Builder {
 public:
  explicit Builder(Function& function);

  void set_range(const Range& range) { range_ = range; }
  const Range& range() const { return range_; }
  // Of the calls that follow.
  void set_caught(bool caught) { caught_ = caught; }

  // A slot of a name that no other variable has; `wanted` where that is free.
  std::string new_slot(const std::string& wanted, Type type, const Range& range);

  bool has_slot(const std::string& name) const { return names_.count(name) != 0; }

  Register constant(Literal literal);
  Register none() { return constant(None{}); }
  Register load(const std::string& slot);
  Register ref(const std::string& slot);
  Register field(Register object, const std::string& name);
  Register index(Register object, Register position);
  Register copy(Register value);
  Register call(Call call);
  Register closure(const std::string& function, std::vector<Register> captures);
  // A call of what nobody knows.
  Register unknown() { return call({}); }
  void store(const std::string& slot, Register value);
  void bind(const std::string& slot, Register address);
  void assign(Register address, Register value);
  void exit(const std::string& slot);

  uint32_t new_block();
  void enter(uint32_t block) { current_ = block; }
  void jump(uint32_t block);
  void branch(Register condition, uint32_t then, uint32_t otherwise, bool loop = false);
  void ret(Register value = kNoRegister);
  void raise();
  uint32_t current() const { return current_; }
  // Turns the jump that ends `block` into a choice between its target and `other`.
  void add_unknown_branch(uint32_t block, uint32_t other);
  // The current block is ended, or nothing leads to it.
  bool unreachable() const;
  bool terminated() const;

  // The instruction that yields `value`.
  Instruction* definition(Register value);
  bool is_address(Register value);
  // Marks an address as meant itself.
  Register take(Register address);

  // Ends open blocks and drops those that nothing reaches.
  void finish();

 private:
  Register emit(Instruction instruction);
  void emit_void(Instruction instruction);
  void append(Instruction instruction);
  Register use(Register value);
  Register carry(Register value);
  void drop_unreachable();

  std::string new_name(const std::string& wanted);

  struct Place {
    uint32_t block;
    uint32_t index;
  };

  Function& function_;
  Range range_;
  bool caught_ = false;
  uint32_t current_ = 0;
  std::vector<Place> places_;                 // by register
  std::vector<unsigned> entries_;             // by block: how many jumps lead there
  std::map<Register, std::string> carriers_;  // slots of registers used in later blocks
  std::map<std::string, unsigned> names_;
};

}  // namespace placecheck::ir
