// collective-in-branch: a branch compares the rank with a constant, and only one of its sides has
// the collective.
#include "rules/collective_in_branch.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/dataflow/ranks.h"
#include "analyzer/ir/walk.h"
#include "analyzer/models/libraries/collectives.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::collective_in_branch;
using dataflow::is_about_ranks;
using dataflow::Name;
using dataflow::names_chosen_rank;
using dataflow::names_rank;
using dataflow::tells_ranks_apart;

// Methods of a process group that all of its ranks call.
constexpr std::string_view kGroupMethods[] = {
    "allgather", "allreduce", "alltoall", "alltoall_base",  "barrier",
    "broadcast", "gather",    "reduce",   "reduce_scatter", "_allgather_base"};
constexpr std::string_view kMpi[] = {"MPI_Allgather", "MPI_Allreduce", "MPI_Alltoall",
                                     "MPI_Barrier",   "MPI_Bcast",     "MPI_Gather",
                                     "MPI_Reduce",    "MPI_Scatter"};
// Calls that make a communicator, which need not have all ranks.
constexpr std::string_view kMakers[] = {"CommInit",    "CommSplit", "Comm_split",
                                        "Comm_create", "Comm_dup",  "GroupStart"};

std::optional<std::string> collective_of(const ir::Instruction& instruction) {
  if (instruction.opcode != ir::Opcode::kCall) return std::nullopt;
  const std::string& name = instruction.call.name;
  const models::CollectiveRow* row = models::find_collective(name);
  if (row && !row->is_pairwise) return name;
  if (std::ranges::find(kMpi, name) != std::end(kMpi)) return name;
  bool is_group = name.starts_with("c10d::");
  std::string_view method = ir::last_component(name);
  if (is_group && std::ranges::find(kGroupMethods, method) != std::end(kGroupMethods))
    return std::string(method);
  return std::nullopt;
}

bool makes_communicator(const ir::Instruction& instruction) {
  return instruction.opcode == ir::Opcode::kCall &&
         std::ranges::any_of(kMakers, [&](std::string_view part) {
           return instruction.call.name.find(part) != std::string::npos;
         });
}

// The rank within a machine is that of a part of all.
bool names_global_rank(std::string_view name) {
  return names_rank(name) && name.find("ocal") == std::string_view::npos &&
         name.find("LOCAL") == std::string_view::npos;
}

bool is_rank(const ir::Block& block, ir::Register value) {
  const ir::Instruction* made = ir::find_definition(block, value);
  if (!made) return false;
  switch (made->opcode) {
    case ir::Opcode::kLoad:
    case ir::Opcode::kRef:
      return names_global_rank(made->symbol.substr(0, made->symbol.find('@', 1)));
    case ir::Opcode::kField:
      return names_global_rank(made->symbol);
    case ir::Opcode::kCopy:
      return is_rank(block, made->operands[0]);
    case ir::Opcode::kCall: {
      std::string_view method = ir::last_component(made->call.name);
      return method == "getRank" || method == "get_rank" || method == "rank";
    }
    default:
      return false;
  }
}

// A number, or the rank that is to do something: `root`.
bool is_one_rank(const ir::Block& block, ir::Register value) {
  const ir::Instruction* made = ir::find_definition(block, value);
  if (!made) return false;
  const bool is_variable = made->opcode == ir::Opcode::kLoad || made->opcode == ir::Opcode::kRef;
  return made->opcode == ir::Opcode::kConst ||
         (is_variable && names_chosen_rank(made->symbol.substr(0, made->symbol.find('@', 1))));
}

// `rank == 0`, `rank != root`, `!rank`, `rank`.
bool tests_rank(const ir::Block& block, ir::Register condition) {
  if (is_rank(block, condition)) return true;
  const ir::Instruction* made = ir::find_definition(block, condition);
  if (!made || made->opcode != ir::Opcode::kCall) return false;
  const std::vector<ir::Argument>& given = made->call.arguments;
  if (made->call.name == "op.not") return tests_rank(block, given[0].value);
  bool compares = made->call.name == "op.eq" || made->call.name == "op.ne";
  if (!compares || given.size() != 2) return false;
  return (is_rank(block, given[0].value) && is_one_rank(block, given[1].value)) ||
         (is_rank(block, given[1].value) && is_one_rank(block, given[0].value));
}

std::set<uint32_t> reachable(const ir::Function& function, uint32_t from, uint32_t without) {
  std::set<uint32_t> seen;
  std::vector<uint32_t> work{from};
  while (!work.empty()) {
    uint32_t block = work.back();
    work.pop_back();
    if (block == without || !seen.insert(block).second) continue;
    if (function.blocks[block].instructions.empty()) continue;
    for (uint32_t target : function.blocks[block].instructions.back().targets)
      work.push_back(target);
  }
  return seen;
}

// How deep a collective is looked for in what a side calls.
constexpr int kMostCalls = 2;

// What the blocks of one side call: collectives by name, and whether they make communicators.
struct Side {
  std::map<std::string, const ir::Instruction*> collectives;
  bool makes_communicators = false;
  bool ends_program = false;
};

// The collectives that a call comes to: its own, or those of a function of the same file, which
// may call one that does.
std::set<std::string> collectives_of(const ir::Unit& unit, const ir::Instruction& call, int depth) {
  if (std::optional<std::string> name = collective_of(call)) return {*name};
  std::set<std::string> names;
  if (call.opcode != ir::Opcode::kCall || call.call.key.empty() || depth == 0) return names;
  const auto callee = std::ranges::find(unit.functions, call.call.key, &ir::Function::key);
  if (callee == unit.functions.end()) return names;
  ir::walk_instructions(*callee, [&](const ir::Instruction& each, ir::InstructionPlace) {
    names.merge(collectives_of(unit, each, depth - 1));
  });
  return names;
}

Side side_of(const ir::Unit& unit, const ir::Function& function, const std::set<uint32_t>& blocks,
             const std::set<uint32_t>& others) {
  Side side;
  for (uint32_t block : blocks) {
    if (others.count(block)) continue;
    for (const ir::Instruction& each : function.blocks[block].instructions) {
      for (const std::string& name : collectives_of(unit, each, kMostCalls))
        side.collectives.try_emplace(name, &each);
      side.makes_communicators |= makes_communicator(each);
      bool raises = each.opcode == ir::Opcode::kRaise;
      bool aborts = each.opcode == ir::Opcode::kCall &&
                    (each.call.name == "exit" || each.call.name == "std::exit" ||
                     each.call.name == "abort" || each.call.name == "MPI_Abort");
      side.ends_program |= raises || aborts;
    }
  }
  return side;
}

// Whether the function makes a communicator like that of the collective by splitting one: which
// ranks are in it is not known. What MPI splits, to number the ranks of a machine, is none of
// NCCL's.
bool splits_communicator(const ir::Function& function, std::string_view collective) {
  const std::string_view split = collective.starts_with("MPI_") ? "Comm_split" : "CommSplit";
  bool found = false;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
    found |= each.opcode == ir::Opcode::kCall && each.call.name.find(split) != std::string::npos;
  });
  return found;
}

findings::Finding start(const dataflow::Site& site, const std::string& name, Reporter& reporter) {
  findings::Finding finding = reporter.start(
      rule::kRule, site, "'" + name + "' is a collective, but only some of the ranks call it here");
  finding.fix = "call it on all ranks, and leave to one rank only what it does with the result";
  return finding;
}

// `condition`: what decides between the sides, as written.
void compare(const ir::Unit& unit, const ir::Function& function, const ir::Range& condition,
             const Side& one, const Side& other, Reporter& reporter) {
  if (one.makes_communicators || other.makes_communicators || other.ends_program) return;
  for (const auto& [name, call] : one.collectives) {
    rules::Trait on_other = other.collectives.count(name) ? rules::Trait::kYes : rules::Trait::kNo;
    if (rule::judge(rules::Trait::kYes, on_other) != rules::Verdict::kBroken) continue;
    if (splits_communicator(function, name)) continue;
    findings::Finding finding = start({&unit, call->range}, name, reporter);
    finding.notes.push_back(
        {Reporter::range_of({&unit, condition}), "some ranks take the other branch here"});
    reporter.add(std::move(finding));
  }
}

std::string key_of(const std::string& operation, Name condition, bool holds,
                   const dataflow::Names& names) {
  return operation + (holds ? " if " : " unless ") + names.text(condition);
}

std::string unfollowed(std::string_view function) { return "a call of " + std::string(function); }

// Whether a function is a part of a generator: its other parts may have the call of the other
// ranks.
bool is_part_of_generator(const ir::Function& function) {
  bool is_part = function.name == "<end of block>";
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
    is_part |= each.call.name == "object.yield" || each.call.name == "object.context";
  });
  return is_part;
}

// Of programs whose calls are known only as they run: which ranks come to a collective is what the
// path has decided. Those that do not may meet the others at another call of the same collective,
// or come to it in a call that is not followed on their path.
void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  if (const auto* other = std::get_if<dataflow::UnfollowedCallEvent>(&event))
    return reporter.note_found(unfollowed(other->function));
  const auto* call = std::get_if<dataflow::CollectiveCallEvent>(&event);
  if (!call) return;
  const findings::SourceRange range = Reporter::range_of(call->site);
  const std::string here = call->operation + " at " + range.file + ':' +
                           std::to_string(range.line) + ':' + std::to_string(range.column);
  const std::string of_others = call->operation + " of ranks that are not known";
  std::vector<std::string> any_of{std::string(kLeftOut), here, of_others,
                                  unfollowed(ir::last_component(call->function))};
  const dataflow::Decision* decision = nullptr;
  bool is_of_some = false;
  for (const auto& [condition, holds] : view.state.assumptions) {
    if (is_about_ranks(condition, view.names)) reporter.note_found(of_others);
    if (!tells_ranks_apart(condition, view.names)) continue;
    is_of_some = true;
    reporter.note_found(key_of(call->operation, condition, holds, view.names));
    any_of.push_back(key_of(call->operation, condition, !holds, view.names));
    auto found = view.decisions.find(condition);
    if (found != view.decisions.end()) decision = &found->second;
  }
  const bool may_go_on = view.function && is_part_of_generator(*view.function);
  if (!is_of_some || may_go_on) return reporter.note_found(here);
  findings::Finding finding = start(call->site, call->operation, reporter);
  if (decision && decision->site.valid())
    finding.notes.push_back(
        {Reporter::range_of(decision->site), "some ranks take the other branch here"});
  reporter.add_unless_found(std::move(any_of), std::move(finding));
}

void on_function(const ir::Unit& unit, const ir::Function& function, Reporter& reporter) {
  if (function.is_partial) return;
  for (uint32_t at = 0; at < function.blocks.size(); ++at) {
    const ir::Block& block = function.blocks[at];
    if (block.instructions.empty()) continue;
    const ir::Instruction& branch = block.instructions.back();
    if (branch.opcode != ir::Opcode::kBranch || branch.loop) continue;
    if (!tests_rank(block, branch.operands[0])) continue;
    std::set<uint32_t> yes = reachable(function, branch.targets[0], at);
    std::set<uint32_t> no = reachable(function, branch.targets[1], at);
    Side then_side = side_of(unit, function, yes, no);
    Side else_side = side_of(unit, function, no, yes);
    const ir::Instruction* condition = ir::find_definition(block, branch.operands[0]);
    const ir::Range& decided_at = condition ? condition->range : branch.range;
    compare(unit, function, decided_at, then_side, else_side, reporter);
    compare(unit, function, decided_at, else_side, then_side, reporter);
  }
}

}  // namespace

extern const Check kCollectiveInBranch{&rule::kRule, on_event, on_function};

}  // namespace placecheck::checks
