// ddp-setup: DistributedDataParallel is given devices that do not fit its module.
#include "rules/ddp_setup.h"

#include <algorithm>

#include "analyzer/checks/check.h"
#include "analyzer/checks/edits.h"
#include "analyzer/dataflow/effects.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::ddp_setup;
using dataflow::Value;

std::string list_text(const std::vector<std::string>& ids) {
  std::string text = "[";
  for (const std::string& id : ids) text += (text.size() > 1 ? ", " : "") + id;
  return text + "]";
}

void report_count(const dataflow::Site& site, size_t count, Reporter& reporter) {
  findings::Finding finding = reporter.start(
      rule::kRule, site,
      "DistributedDataParallel is given " + std::to_string(count) + " devices, a process has one");
  finding.predicted_error = rule::count_message();
  finding.fix = "list the one device of this process: device_ids=[local_rank]";
  reporter.add(std::move(finding));
}

// The module is moved where it is handed over, to the first of the devices that are listed there.
FixIts move_where_wrapped(const dataflow::Site& site, Reporter& reporter) {
  const std::optional<WrittenCall> call = call_at(site);
  if (!call) return {};
  const ir::Argument* module = find_argument(call->call(), "module", 0);
  const ir::Argument* ids = find_argument(call->call(), "device_ids", 1);
  if (!module || !ids) return {};
  std::string id;
  const ir::Instruction* list = ir::find_definition(*call->block, ids->value);
  if (list && list->opcode == ir::Opcode::kCall && list->call.name == "object.list") {
    if (!list->call.arguments.empty())
      id = reporter.source_of(call->site_of(list->call.arguments[0]));
  } else if (const std::string text = reporter.source_of(call->site_of(*ids)); is_name(text)) {
    id = text + "[0]";
  }
  if (id.empty()) return {};
  return add_suffix(call->site_of(*module), ".to(" + id + ")", reporter);
}

// `why`: what asks for a GPU.
void report_place(const dataflow::Site& site, const std::string& name, const Value& tensor,
                  const std::string& why, const std::string& predicted, const dataflow::View& view,
                  Reporter& reporter) {
  findings::Finding finding = reporter.start(
      rule::kRule, site, "'" + name + "' of the wrapped module is on cpu, and " + why);
  add_origin_note(finding, "the module", tensor.origin, tensor.place, view);
  finding.predicted_error = predicted;
  finding.fix = "move the module to its device before it is wrapped";
  finding.fix_its = move_where_wrapped(site, reporter);
  reporter.add(std::move(finding));
}

void report_group(const dataflow::Site& site, Reporter& reporter) {
  findings::Finding finding =
      reporter.start(rule::kRule, site, "a module is wrapped before there is a process group");
  finding.predicted_error = std::string(rule::kNoGroup);
  finding.fix = "call torch.distributed.init_process_group() in each process before";
  reporter.add(std::move(finding));
}

void on_collective(const dataflow::CollectiveOperandEvent& event, const dataflow::View& view,
                   Reporter& reporter) {
  const dataflow::Site operand{event.site.unit, event.range};
  const std::string name = reporter.quoted(operand, "the tensor");
  findings::Finding finding = reporter.start(rule::kRule, event.site,
                                             name + " is on cpu, and " + event.operation +
                                                 "() of the backend nccl takes tensors of a GPU");
  add_origin_note(finding, name, event.origin, dataflow::Place::cpu(), view);
  finding.predicted_error = std::string(rule::kHostTensor);
  finding.fix = "move it to the GPU of this process before";
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  if (const auto* collective = std::get_if<dataflow::CollectiveOperandEvent>(&event))
    return on_collective(*collective, view, reporter);
  const auto* wrapped = std::get_if<dataflow::DistributedWrapEvent>(&event);
  if (!wrapped) return;
  if (wrapped->lacks_group) return report_group(wrapped->site, reporter);
  if (wrapped->device_ids.empty() && !wrapped->needs_gpu) return;
  if (rule::judge_count(wrapped->device_ids.size()) == rules::Verdict::kBroken)
    return report_count(wrapped->site, wrapped->device_ids.size(), reporter);
  if (wrapped->module == dataflow::kNoObject) return;
  std::vector<std::pair<std::string, Value>> state;
  dataflow::registered_tensors(view.state, view.names, wrapped->module, "", state);
  const auto on_cpu = [&](const auto& entry) {
    return rule::judge(fact_of(view.state.decider_of(entry.second).place)) ==
           rules::Verdict::kBroken;
  };
  const auto found = std::ranges::find_if(state, on_cpu);
  if (found == state.end()) return;
  const bool are_all_on_cpu = std::ranges::all_of(state, on_cpu);
  const Value tensor = view.state.decider_of(found->second);
  if (wrapped->needs_gpu) {
    if (are_all_on_cpu)
      report_place(wrapped->site, found->first, tensor, "the backend nccl takes tensors of a GPU",
                   std::string(rule::kHostTensor), view, reporter);
    return;
  }
  report_place(wrapped->site, found->first, tensor, "device_ids asks for a GPU",
               rule::message(list_text(wrapped->device_ids), are_all_on_cpu), view, reporter);
}

}  // namespace

extern const Check kDdpSetup{&rules::ddp_setup::kRule, on_event, nullptr};

}  // namespace placecheck::checks
