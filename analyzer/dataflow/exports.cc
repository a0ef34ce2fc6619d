#include "analyzer/dataflow/exports.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "analyzer/models/libraries/registrations.h"

namespace placecheck::dataflow {
namespace {

// A function may be wrapped before it is registered.
constexpr int kMostWrappers = 4;

// "nms" of `m.def("nms", ...)` and of `m.impl("vision::nms(Tensor boxes) -> Tensor", ...)`.
std::string registered_name(const ir::Block& block, const ir::Call& call) {
  for (const ir::Argument& argument : call.arguments) {
    const ir::Instruction* made = ir::find_definition(block, argument.value);
    const auto* text = made ? std::get_if<std::string>(&made->literal) : nullptr;
    if (!text || made->opcode != ir::Opcode::kConst) continue;
    return std::string(ir::last_component(text->substr(0, text->find('('))));
  }
  return {};
}

class Exports {
 public:
  explicit Exports(const ir::Program& program) : program_(program) {}

  void add_block(const ir::Unit& unit, const ir::Block& block) {
    for (const ir::Instruction& each : block.instructions) {
      if (each.opcode != ir::Opcode::kCall || !models::registers_functions(each.call.name))
        continue;
      const std::string name = registered_name(block, each.call);
      for (const ir::Argument& argument : each.call.arguments)
        add_value(unit, block, argument.value, name, kMostWrappers);
    }
  }

  std::vector<Export> take() { return std::move(exports_); }

 private:
  void add_value(const ir::Unit& unit, const ir::Block& block, ir::Register value,
                 const std::string& name, int wrappers) {
    const ir::Instruction* made = ir::find_definition(block, value);
    if (!made) return;
    if (made->opcode == ir::Opcode::kClosure) {
      const ir::Function* function = program_.find_function(made->symbol, &unit);
      if (function && seen_.insert(function).second) exports_.push_back({function, name});
    } else if (made->opcode == ir::Opcode::kCall && wrappers > 0) {
      for (const ir::Argument& argument : made->call.arguments)
        add_value(unit, block, argument.value, name, wrappers - 1);
    }
  }

  const ir::Program& program_;
  std::unordered_set<const ir::Function*> seen_;
  std::vector<Export> exports_;
};

}  // namespace

std::vector<Export> exported_functions(const ir::Program& program) {
  Exports exports(program);
  for (const ir::Unit* unit : program.units) {
    for (const ir::Function& function : unit->functions) {
      for (const ir::Block& block : function.blocks) exports.add_block(*unit, block);
    }
  }
  return exports.take();
}

}  // namespace placecheck::dataflow
