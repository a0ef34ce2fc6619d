// leaked-current-device: an exported function leaves a device current that it selected itself.
#include "rules/leaked_current_device.h"

#include <algorithm>

#include "analyzer/checks/check.h"
#include "analyzer/checks/cuda_fixes.h"
#include "analyzer/checks/exported_work.h"
#include "analyzer/ir/walk.h"
#include "analyzer/models/libraries/effects.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::leaked_current_device;
using dataflow::PlaceKind;
using rules::Trait;

// An element of a list that the caller passed: of several devices it asked for none to stay.
bool is_element(const dataflow::Place& device, const dataflow::Names& names) {
  if (device.kind != PlaceKind::kCuda || device.symbol == 0) return false;
  const auto& operands = names.operands(device.symbol);
  return operands.size() == 1 && names.text(device.symbol) == names.text(operands[0]) + "[]";
}

// What was selected is told from what the caller had: a literal number, the device of a tensor or
// of a parameter. Another number may be the caller's own, and who is given a number only is asked
// to select it.
Trait is_selected(const dataflow::DeviceLeftEvent& event, const dataflow::View& view) {
  const dataflow::Place& current = event.current;
  bool is_literal = current.kind == PlaceKind::kCuda && current.index >= 0;
  bool is_given = current.kind == PlaceKind::kAlike || is_element(current, view.names) ||
                  (current.symbol != 0 && takes_tensor(*view.exported) &&
                   view.names.operands(current.symbol).empty() &&
                   view.names.text(current.symbol).find('#') != std::string::npos);
  return is_literal || is_given ? Trait::kYes : Trait::kUnknown;
}

// The call that selects becomes a guard; in a helper, a guard would end before the work.
void add_fix(findings::Finding& finding, const dataflow::Site& site, const dataflow::View& view,
             Reporter& reporter) {
  const std::optional<WrittenCall> call = call_at(site);
  const ir::Function* function = function_at(site);
  if (!call || function != view.exported || call->call().arguments.size() != 1) return;
  const std::string device = reporter.source_of(call->site_of(call->call().arguments[0]));
  if (device.empty()) return;
  finding.fix_its = replace_statement_of_body(
      site, {site.unit, function->range},
      "const c10::cuda::CUDAGuard device_guard(" + device + ");", reporter);
  if (!finding.fix_its.empty()) add_include(finding, site, "c10/cuda/CUDAGuard.h", reporter);
}

// Visits the conditions of the branches that lead to a block, each with the block that it is in.
template <typename Visit>
void walk_conditions(const ir::Function& function, uint32_t block, Visit visit) {
  for (uint32_t i = 0; i < function.blocks.size(); ++i) {
    const ir::Instruction& last = function.blocks[i].instructions.back();
    if (std::ranges::find(last.targets, block) == last.targets.end()) continue;
    if (last.opcode == ir::Opcode::kBranch)
      visit(function.blocks[i], last.operands[0]);
    else
      walk_conditions(function, i, visit);
  }
}

// A failed CUDA call usually ends the program.
bool is_error_of_cuda(const ir::Function& function, const ir::Range& raise) {
  bool found = false;
  for (uint32_t i = 0; i < function.blocks.size(); ++i) {
    const ir::Instruction& last = function.blocks[i].instructions.back();
    if (last.opcode != ir::Opcode::kRaise || last.range != raise) continue;
    walk_conditions(function, i, [&](const ir::Block& block, ir::Register condition) {
      ir::OriginWalk(function).walk(block, condition, [&](const ir::Instruction& made) {
        found |= made.opcode == ir::Opcode::kCall && made.call.name.starts_with("cu");
      });
    });
  }
  return found;
}

bool selects_device(const ir::Function& function) {
  bool found = false;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
    found |= each.opcode == ir::Opcode::kCall &&
             models::selects_device(models::find_effect(each.call.name));
  });
  return found;
}

// What a library's object was given to call when its scope ends (absl::Cleanup, the deleter of a
// smart pointer) is not followed.
bool makes_function_that_selects(const dataflow::Site& site, const dataflow::View& view) {
  bool found = false;
  for (const ir::Function* function : functions_on_the_way(site, view)) {
    ir::walk_instructions(*function, [&](const ir::Instruction& each, ir::InstructionPlace) {
      if (each.opcode != ir::Opcode::kClosure) return;
      const ir::Function* made =
          view.program.find_function(each.symbol, view.program.unit_of(*function));
      found |= made && selects_device(*made);
    });
  }
  return found;
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* left = std::get_if<dataflow::DeviceLeftEvent>(&event);
  if (!left || !view.exported) return;
  if (rule::judge(is_selected(*left, view)) != rules::Verdict::kBroken) return;
  const dataflow::Site& site = view.origins[left->selected_at].site;
  if (!site.valid() || has_own_guard(site, view) || makes_function_that_selects(site, view)) return;
  if (left->raises && is_error_of_cuda(*view.exported, left->site.range)) return;
  findings::Finding finding = reporter.start(
      rule::kRule, site,
      "the device that is selected here stays current when " + name_of(*view.exported) +
          (left->raises ? " raises an exception" : " returns"));
  if (left->raises)
    finding.notes.push_back({Reporter::range_of(left->site), "the exception is raised here"});
  add_way(finding, view);
  finding.fix = "use a guard, such as c10::cuda::CUDAGuard, which restores the caller's device";
  add_fix(finding, site, view, reporter);
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kLeakedCurrentDevice{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
