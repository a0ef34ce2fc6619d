#include "analyzer/dataflow/exports.h"

#include <unordered_set>
#include <utility>

#include "analyzer/models/libraries/registrations.h"

namespace placecheck::dataflow {
namespace {

// A function may be wrapped before it is registered.
constexpr int kMostWrappers = 4;

class Exports {
 public:
  explicit Exports(const ir::Program& program) : program_(program) {}

  void add_block(const ir::Unit& unit, const ir::Block& block) {
    for (const ir::Instruction& each : block.instructions) {
      if (each.opcode != ir::Opcode::kCall || !models::registers_functions(each.call.name))
        continue;
      for (const ir::Argument& argument : each.call.arguments)
        add_value(unit, block, argument.value, kMostWrappers);
    }
  }

  std::vector<const ir::Function*> take() { return std::move(functions_); }

 private:
  void add_value(const ir::Unit& unit, const ir::Block& block, ir::Register value, int wrappers) {
    const ir::Instruction* made = ir::find_definition(block, value);
    if (!made) return;
    if (made->opcode == ir::Opcode::kClosure) {
      const ir::Function* function = program_.find_function(made->symbol, &unit);
      if (function && seen_.insert(function).second) functions_.push_back(function);
    } else if (made->opcode == ir::Opcode::kCall && wrappers > 0) {
      for (const ir::Argument& argument : made->call.arguments)
        add_value(unit, block, argument.value, wrappers - 1);
    }
  }

  const ir::Program& program_;
  std::unordered_set<const ir::Function*> seen_;
  std::vector<const ir::Function*> functions_;
};

}  // namespace

std::vector<const ir::Function*> exported_functions(const ir::Program& program) {
  Exports exports(program);
  for (const ir::Unit* unit : program.units) {
    for (const ir::Function& function : unit->functions) {
      for (const ir::Block& block : function.blocks) exports.add_block(*unit, block);
    }
  }
  return exports.take();
}

}  // namespace placecheck::dataflow
