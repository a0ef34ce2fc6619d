#include "analyzer/dataflow/grad_modes.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace placecheck::dataflow {
namespace {

// Whether a literal or a called function decides if gradients are recorded.
bool names_grad_mode(const ir::Instruction& instruction) {
  static constexpr std::string_view kModes[] = {"AutoGradMode", "InferenceMode",
                                                "NoGradGuard",  "inference_mode",
                                                "no_grad",      "set_grad_enabled"};
  const auto* literal = std::get_if<std::string>(&instruction.literal);
  return std::ranges::any_of(kModes, [&](std::string_view mode) {
    return instruction.call.name.find(mode) != std::string::npos ||
           (literal && literal->find(mode) != std::string::npos);
  });
}

// The grad modes of a function that end with a variable's scope: a guard, or the manager of a
// with-statement. Those of whose end nothing is known are called "".
class GradModes {
 public:
  explicit GradModes(const ir::Function& function) : function_(function) {}

  // Whether such a mode may be in force there. The place is named by its range, since a method call
  // runs as an instruction that was rewritten from the one in the block.
  bool may_hold_at(const ir::Range& at) {
    std::vector<std::set<std::string>> entered(function_.blocks.size());
    std::set<uint32_t> due{0};
    bool holds = false;
    std::vector<bool> seen(function_.blocks.size());
    while (!due.empty()) {
      const uint32_t block = *due.begin();
      due.erase(due.begin());
      seen[block] = true;
      std::set<std::string> open = entered[block];
      for (const ir::Instruction& each : function_.blocks[block].instructions) {
        holds |= each.range == at && !open.empty();
        step(each, open);
        for (uint32_t target : each.targets) {
          const size_t before = entered[target].size();
          entered[target].insert(open.begin(), open.end());
          if (!seen[target] || entered[target].size() != before) due.insert(target);
        }
      }
    }
    return holds;
  }

 private:
  void step(const ir::Instruction& each, std::set<std::string>& open) {
    if (names_grad_mode(each)) {
      modes_.insert(each.result);
      open.insert("");
    } else if (each.opcode == ir::Opcode::kStore && modes_.contains(each.operands.front())) {
      open.erase("");
      open.insert(each.symbol);
    } else if (each.opcode == ir::Opcode::kExit) {
      open.erase(each.symbol);
    }
  }

  const ir::Function& function_;
  std::set<ir::Register> modes_;
};

}  // namespace

bool is_in_grad_mode(const ir::Function& function, const ir::Range& at) {
  return GradModes(function).may_hold_at(at);
}

}  // namespace placecheck::dataflow
