// step-synchronization: the host waits for the GPU in every step of a training loop.
#include "rules/step_synchronization.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/checks/edits.h"
#include "analyzer/ir/walk.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::step_synchronization;
using Blocks = std::set<uint32_t>;

// A function in progress, and what it does.
struct Frame {
  const ir::Function* function;
  ir::Range at;
};

// The innermost first.
std::vector<Frame> frames_of(const dataflow::Site& site, const dataflow::View& view) {
  std::vector<Frame> frames{{view.function, site.range}};
  for (auto call = view.calls.rbegin(); call != view.calls.rend(); ++call)
    frames.push_back({function_at(*call), call->range});
  return frames;
}

std::optional<uint32_t> block_of(const Frame& frame) {
  std::optional<uint32_t> found;
  if (!frame.function) return found;
  ir::walk_instructions(*frame.function, [&](const ir::Instruction& each, ir::InstructionPlace at) {
    if (each.opcode == ir::Opcode::kCall && each.range == frame.at) found = at.block;
  });
  return found;
}

std::span<const uint32_t> targets_of(const ir::Block& block) {
  if (block.instructions.empty()) return {};
  return block.instructions.back().targets;
}

bool returns(const ir::Block& block) {
  return !block.instructions.empty() && block.instructions.back().opcode == ir::Opcode::kReturn;
}

// Of `within`, or of all blocks where that is null: what is reached from `start` on paths that
// avoid one block.
Blocks reached_without(const ir::Function& function, uint32_t start, uint32_t avoided,
                       const Blocks* within) {
  Blocks reached;
  std::vector<uint32_t> work{start};
  while (!work.empty()) {
    const uint32_t block = work.back();
    work.pop_back();
    const bool is_inside = !within || within->count(block) != 0;
    if (block == avoided || !is_inside || !reached.insert(block).second) continue;
    for (uint32_t target : targets_of(function.blocks[block])) work.push_back(target);
  }
  return reached;
}

struct Loop {
  uint32_t head = 0;
  Blocks blocks;
  Blocks latches;  // from which the next iteration begins
};

// The loops around a block, of which those with one head are one.
std::vector<Loop> loops_of(const dataflow::FunctionLayout& layout) {
  std::map<uint32_t, Loop> by_head;
  for (const auto& [edge, body] : layout.loops) {
    Loop& loop = by_head[edge.second];
    loop.head = edge.second;
    loop.blocks.insert(body.begin(), body.end());
    loop.latches.insert(edge.first);
  }
  std::vector<Loop> loops;
  for (auto& [head, loop] : by_head) loops.push_back(std::move(loop));
  return loops;
}

const Loop* innermost(const std::vector<Loop>& loops, uint32_t block) {
  const Loop* found = nullptr;
  for (const Loop& each : loops) {
    const bool is_inner = !found || each.blocks.size() < found->blocks.size();
    if (each.blocks.count(block) != 0 && is_inner) found = &each;
  }
  return found;
}

bool is_backward(const ir::Instruction& instruction) {
  return instruction.opcode == ir::Opcode::kCall && bare_name(instruction.call) == "backward";
}

bool has_backward(const ir::Block& block) {
  return std::ranges::any_of(block.instructions, is_backward);
}

bool is_on_every_path(const ir::Function& function, uint32_t block) {
  const Blocks others = reached_without(function, 0, block, nullptr);
  return std::ranges::none_of(others,
                              [&](uint32_t each) { return returns(function.blocks[each]); });
}

bool is_in_every_iteration(const ir::Function& function, const Loop& loop, uint32_t block) {
  const Blocks others = reached_without(function, loop.head, block, &loop.blocks);
  return std::ranges::none_of(loop.latches,
                              [&](uint32_t latch) { return others.count(latch) != 0; });
}

// Where the loop is that trains, in each iteration of which the host comes to `site`; nothing where
// there is none.
std::optional<dataflow::Site> training_loop(const dataflow::Site& site,
                                            const dataflow::View& view) {
  bool trains = false;
  for (const Frame& frame : frames_of(site, view)) {
    const std::optional<uint32_t> block = block_of(frame);
    if (!block) return std::nullopt;
    const ir::Function& function = *frame.function;
    const std::vector<Loop> loops = loops_of(view.program.layout(function));
    const Loop* loop = innermost(loops, *block);
    if (!loop) {
      if (!is_on_every_path(function, *block)) return std::nullopt;
      trains |= std::ranges::any_of(function.blocks, has_backward);
      continue;
    }
    for (uint32_t each : loop->blocks)
      trains |= has_backward(function.blocks[each]) && innermost(loops, each) == loop;
    if (!trains || !is_in_every_iteration(function, *loop, *block)) return std::nullopt;
    return dataflow::Site{view.program.unit_of(function),
                          function.blocks[loop->head].instructions.back().range};
  }
  return std::nullopt;
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* wait = std::get_if<dataflow::HostWaitEvent>(&event);
  if (!wait) return;
  const std::optional<dataflow::Site> loop = training_loop(wait->site, view);
  const rules::Trait is_in_every_step = loop ? rules::Trait::kYes : rules::Trait::kUnknown;
  if (rule::judge(is_in_every_step) != rules::Verdict::kBroken) return;
  const std::string what = reporter.quoted({wait->site.unit, wait->range}, "the tensor");
  findings::Finding finding =
      reporter.start(rule::kRule, wait->site,
                     "in every training step the host waits here until " + what + ", which is on " +
                         place_text(wait->place, view.names) + ", is computed");
  finding.notes.push_back({Reporter::range_of(*loop), "the loop that trains"});
  finding.fix = "add it up on the GPU, detached, and read the sum every so many steps";
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kStepSynchronization{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
