#include "analyzer/checks/witness.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "analyzer/checks/edits.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/symbols.h"

namespace placecheck::checks {
namespace {

// The others say little more, and nobody reads on.
constexpr size_t kMostConditions = 3;

// The blocks that have an instruction at `range`.
std::vector<uint32_t> blocks_at(const ir::Function& function, const ir::Unit& unit,
                                const findings::SourceRange& range) {
  std::vector<uint32_t> blocks;
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    const auto& instructions = function.blocks[b].instructions;
    bool is_there = std::ranges::any_of(instructions, [&](const ir::Instruction& each) {
      return each.opcode == ir::Opcode::kCall && Reporter::range_of({&unit, each.range}) == range;
    });
    if (is_there) blocks.push_back(b);
  }
  return blocks;
}

// The blocks that control comes to from `start` before it is back at `avoided`.
std::vector<bool> reached_from(const ir::Function& function, uint32_t start, uint32_t avoided) {
  std::vector<bool> seen(function.blocks.size(), false);
  std::vector<uint32_t> work{start};
  while (!work.empty()) {
    const uint32_t block = work.back();
    work.pop_back();
    if (seen[block] || block == avoided) continue;
    seen[block] = true;
    const auto& instructions = function.blocks[block].instructions;
    if (instructions.empty()) continue;
    for (const uint32_t target : instructions.back().targets) work.push_back(target);
  }
  return seen;
}

// Whether one of `goals` can be reached from `start` without coming through `avoided`.
bool reaches(const ir::Function& function, uint32_t start, const std::vector<uint32_t>& goals,
             uint32_t avoided) {
  const std::vector<bool> reached = reached_from(function, start, avoided);
  return std::ranges::any_of(goals, [&](uint32_t goal) { return reached[goal]; });
}

// Whether something is moved to a device on the way that is not taken alone.
bool skips_transfer(const ir::Function& function, uint32_t branch, uint32_t taken,
                    uint32_t skipped) {
  const std::vector<bool> on_path = reached_from(function, taken, branch);
  const std::vector<bool> on_other = reached_from(function, skipped, branch);
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    if (on_path[b] || !on_other[b]) continue;
    const bool moves =
        std::ranges::any_of(function.blocks[b].instructions, [](const ir::Instruction& each) {
          if (each.opcode != ir::Opcode::kCall) return false;
          const std::string_view name = ir::last_component(each.call.name);
          return name == "to" || name == "cuda" || name == ".to" || name == ".cuda";
        });
    if (moves) return true;
  }
  return false;
}

bool leaves_function(const ir::Block& block) {
  if (block.instructions.empty()) return true;
  ir::Opcode last = block.instructions.back().opcode;
  return last == ir::Opcode::kReturn || last == ir::Opcode::kRaise;
}

// The branch at a block's end, where its condition is written at `range`; null otherwise.
const ir::Instruction* branch_on(const ir::Block& block, const ir::Range& range) {
  if (block.instructions.empty()) return nullptr;
  const ir::Instruction& branch = block.instructions.back();
  if (branch.opcode != ir::Opcode::kBranch || branch.operands.empty()) return nullptr;
  const ir::Instruction* condition = ir::find_definition(block, branch.operands[0]);
  return condition && condition->range == range ? &branch : nullptr;
}

// Whether the branches on the condition written at `range` lead to one of the steps by the outcome
// `holds` alone, or past a transfer.
bool decides_a_step(const ir::Function& function, const ir::Unit& unit, const ir::Range& range,
                    bool holds, const std::vector<findings::SourceRange>& steps) {
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    const ir::Instruction* branch = branch_on(function.blocks[b], range);
    if (!branch || branch->loop) continue;
    uint32_t taken = branch->targets[holds ? 0 : 1];
    uint32_t other = branch->targets[holds ? 1 : 0];
    if (leaves_function(function.blocks[other])) continue;
    if (skips_transfer(function, b, taken, other)) return true;
    for (const findings::SourceRange& step : steps) {
      std::vector<uint32_t> goals = blocks_at(function, unit, step);
      if (reaches(function, taken, goals, b) && !reaches(function, other, goals, b)) return true;
    }
  }
  return false;
}

// Whether a check that is written at `range`, such as TORCH_CHECK, raises an exception itself where
// what it branches on is `holds`.
bool is_failing_check(const ir::Function& function, const ir::Range& range, bool holds) {
  return std::ranges::any_of(function.blocks, [&](const ir::Block& block) {
    const ir::Instruction* branch = branch_on(block, range);
    if (!branch) return false;
    const ir::Block& taken = function.blocks[branch->targets[holds ? 0 : 1]];
    return !taken.instructions.empty() && taken.instructions.back().range == range &&
           taken.instructions.back().opcode == ir::Opcode::kRaise;
  });
}

// The device of the replica in which the path runs; null where it runs in none.
const dataflow::Value* device_of_replica(const dataflow::View& view) {
  return view.state.find_global(view.names.find(dataflow::kReplicaRuns));
}

// The range of a condition that a macro makes may begin or end within the macro's arguments.
bool has_balanced_parentheses(std::string_view text) {
  int depth = 0;
  for (const char each : text) {
    depth += each == '(' ? 1 : each == ')' ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth == 0;
}

}  // namespace

bool is_in_second_replica(const dataflow::View& view) { return device_of_replica(view) != nullptr; }

void add_conditions(findings::Finding& finding, const dataflow::View& view, Reporter& reporter) {
  std::vector<findings::SourceRange> steps{finding.range};
  for (const findings::Note& note : finding.notes) steps.push_back(note.range);
  std::vector<findings::Note> conditions;
  for (const auto& [name, holds] : view.state.assumptions) {
    auto decision = view.decisions.find(name);
    if (decision == view.decisions.end() || !decision->second.site.valid()) continue;
    const auto& [site, is_negated] = decision->second;
    const std::string text = reporter.text_of(site);
    const bool is_whole = !text.empty() && has_balanced_parentheses(text);
    const ir::Function* function = is_whole ? function_at(site) : nullptr;
    const bool is_true = holds != is_negated;
    if (!function || !decides_a_step(*function, *site.unit, site.range, is_true, steps)) continue;
    const char* outcome = is_failing_check(*function, site.range, is_true) ? "' fails"
                          : is_true                                        ? "' is true"
                                                                           : "' is false";
    conditions.push_back({Reporter::range_of(site), "when '" + text + outcome});
    if (conditions.size() == kMostConditions) break;
  }
  const dataflow::Value* replica = device_of_replica(view);
  const dataflow::Site call = replica ? view.origins[replica->origin].site : dataflow::Site();
  if (call.valid()) {
    conditions.push_back(
        {Reporter::range_of(call), "in the replica on " + place_text(replica->place, view.names)});
  }
  const dataflow::Value* module = view.state.find_global(view.names.find(dataflow::kUsedModule));
  if (module) {
    conditions.push_back({Reporter::range_of(view.origins[module->origin].site),
                          "where a '" + view.names.text(module->name) + "' is moved to a GPU"});
  }
  finding.notes.insert(finding.notes.begin(), conditions.begin(), conditions.end());
}

}  // namespace placecheck::checks
