// Checks of the program itself on where tensors live, which raise an exception: TORCH_CHECK,
// `if (...) throw`, assert.
#include "analyzer/dataflow/activation.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::dataflow {
namespace {

constexpr int kDeepestCondition = 6;

// The first sentence that the block, or one that it leads to, gives to something.
std::string first_sentence(const ir::Function& function, uint32_t block) {
  for (int blocks = 0; blocks < kDeepestCondition; ++blocks) {
    for (const ir::Instruction& each : function.blocks[block].instructions) {
      const auto* text = std::get_if<std::string>(&each.literal);
      if (each.opcode == ir::Opcode::kConst && text && llvm::StringRef(*text).trim().contains(' '))
        return llvm::StringRef(*text).trim().str();
    }
    const ir::Instruction& last = function.blocks[block].instructions.back();
    if (last.targets.empty()) break;
    block = last.targets[0];
  }
  return "";
}

}  // namespace

void Activation::tell_failed_check(const ir::Instruction& branch, bool holds, const Frame& frame) {
  uint32_t target = branch.targets[holds ? 0 : 1];
  if (!layout_.ends_in_raise[target] || layout_.ends_in_raise[branch.targets[holds ? 1 : 0]])
    return;
  FailedCheckEvent event;
  event.site = site(branch.range);
  event.text = first_sentence(function_, target);
  // Only what the block itself has computed is at hand.
  std::vector<std::pair<ir::Register, int>> work{{branch.operands[0], 0}};
  for (size_t i = 0; i < work.size(); ++i) {
    auto [at, depth] = work[i];
    const ir::Instruction* made = find_definition(at);
    if (!made || made->opcode != ir::Opcode::kCall || depth > kDeepestCondition) continue;
    if (depth == 0 && made->range.valid()) event.site = site(made->range);
    for (const ir::Argument& argument : made->call.arguments) {
      const Value& raw = frame.registers[argument.value];
      const Value value = frame.state.read(raw);
      if (value.is(ValueKind::kDevice) && !value.asked) event.wanted = value.place;
      if (value.is_tensor()) {
        Operand operand;
        operand.decider = frame.state.decider_of(raw);
        operand.place = frame.state.place_of(raw);
        operand.range = argument.range;
        operand.origin = operand.decider.origin;
        if (operand.place.is_known()) event.operands.push_back(std::move(operand));
      } else {
        work.push_back({argument.value, depth + 1});
      }
    }
  }
  notify(event, frame.state);
}

}  // namespace placecheck::dataflow
