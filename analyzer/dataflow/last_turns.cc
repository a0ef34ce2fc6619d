#include "analyzer/dataflow/last_turns.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace placecheck::dataflow {
namespace {

// How a condition says that the turn is the last: by being true, or by being false.
using LastIf = std::optional<bool>;

// Comparisons of a counter that grows, on the left, with anything.
LastIf last_if(std::string_view comparison) {
  if (comparison == "op.eq" || comparison == "op.gt" || comparison == "op.ge") return true;
  if (comparison == "op.ne" || comparison == "op.lt" || comparison == "op.le") return false;
  return std::nullopt;
}

bool is_ordered(std::string_view comparison) {
  return comparison != "op.eq" && comparison != "op.ne";
}

// The tests of one loop: first what its head counts, then what is made of that block by block.
class LastTurnFinder {
 public:
  LastTurnFinder(const Loop& loop, const FunctionLayout& layout) : loop_(loop), layout_(layout) {
    std::unordered_map<ir::Register, std::string_view> loads;
    for (const ir::Instruction& each : instructions(loop.head)) {
      if (each.opcode == ir::Opcode::kLoad && is_stored(each.symbol)) {
        counters_.insert(each.symbol);
        loads.emplace(each.result, each.symbol);
      }
      bool falls = is_comparison(each) && (each.call.name == "op.gt" || each.call.name == "op.ge");
      if (falls && loads.count(each.call.arguments[0].value)) grows_ = false;
    }
  }

  // Conditions kept in variables are known once all blocks were seen; a second pass uses them.
  void find(FunctionLayout& layout) {
    if (counters_.empty()) return;
    for (int pass = 0; pass < 2; ++pass) {
      for (uint32_t block : loop_.body) scan(block, pass == 1 ? &layout : nullptr);
    }
  }

 private:
  const std::vector<ir::Instruction>& instructions(uint32_t block) const {
    return loop_.function.blocks[block].instructions;
  }

  bool is_stored(const std::string& slot) const {
    auto at = layout_.slots.find(slot);
    return at != layout_.slots.end() && layout_.stored_in_loop.at(loop_.head)[at->second];
  }

  static bool is_comparison(const ir::Instruction& each) {
    return each.opcode == ir::Opcode::kCall && each.call.arguments.size() == 2 &&
           last_if(each.call.name);
  }

  void scan(uint32_t block, FunctionLayout* layout) {
    counts_.clear();
    conditions_.clear();
    for (const ir::Instruction& each : instructions(block)) {
      switch (each.opcode) {
        case ir::Opcode::kLoad:
          if (counters_.count(each.symbol)) counts_.insert(each.result);
          if (auto at = kept_.find(each.symbol); at != kept_.end())
            conditions_.emplace(each.result, at->second);
          break;
        case ir::Opcode::kStore:
          if (auto at = conditions_.find(each.operands[0]); at != conditions_.end())
            kept_[each.symbol] = at->second;
          break;
        case ir::Opcode::kCall:
          call(each);
          break;
        case ir::Opcode::kBranch:
          if (layout && block != loop_.head) test(block, each, *layout);
          break;
        default:
          break;
      }
    }
  }

  void call(const ir::Instruction& each) {
    const auto& arguments = each.call.arguments;
    bool is_sum = each.call.name == "op.add" || each.call.name == "op.sub";
    if (is_sum && std::any_of(arguments.begin(), arguments.end(),
                              [&](const auto& a) { return counts_.count(a.value) != 0; })) {
      counts_.insert(each.result);
    }
    if (each.call.name == "op.not" && arguments.size() == 1) {
      if (auto at = conditions_.find(arguments[0].value); at != conditions_.end())
        conditions_.emplace(each.result, !at->second);
    }
    if (!is_comparison(each)) return;
    bool left = counts_.count(arguments[0].value) != 0;
    if (!left && counts_.count(arguments[1].value) == 0) return;
    bool outcome = last_if(each.call.name).value_or(false);
    if (is_ordered(each.call.name) && left != grows_) outcome = !outcome;
    conditions_.emplace(each.result, outcome);
  }

  void test(uint32_t block, const ir::Instruction& branch, FunctionLayout& layout) const {
    auto condition = conditions_.find(branch.operands[0]);
    if (condition == conditions_.end() || branch.loop) return;
    layout.last_turn_tests[block].push_back({loop_.head, condition->second});
  }

  const Loop& loop_;
  const FunctionLayout& layout_;
  std::set<std::string_view> counters_;
  bool grows_ = true;
  std::unordered_map<std::string_view, bool> kept_;    // conditions in variables
  std::set<ir::Register> counts_;                      // in the block at hand
  std::unordered_map<ir::Register, bool> conditions_;  // likewise
};

}  // namespace

void find_last_turn_tests(const Loop& loop, FunctionLayout& layout) {
  LastTurnFinder(loop, layout).find(layout);
}

}  // namespace placecheck::dataflow
