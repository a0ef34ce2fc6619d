// data-parallel-placement: at forward, a data-parallel module is not on its first device.
#include "rules/data_parallel_placement.h"

#include "analyzer/checks/check.h"
#include "analyzer/checks/edits.h"
#include "analyzer/dataflow/effects.h"

namespace placecheck::checks {
namespace {

using dataflow::Value;

// Whether what put the tensor where it is came before the wrapper, so that a move there mends it.
bool is_decided_before(const dataflow::Origin& decided, const dataflow::Site& wrap) {
  if (decided.kind != dataflow::OriginKind::kMoved) return true;
  if (decided.site.unit != wrap.unit || !is_before(decided.site.range, wrap.range)) return false;
  return function_at(decided.site) == function_at(wrap);
}

// The module is moved to the first device where it is wrapped: in the argument in Python, whose
// to() gives the module back, and in a statement of its own in C++.
FixIts move_where_wrapped(const dataflow::ParallelForwardEvent& event, const Value& tensor,
                          const dataflow::View& view, Reporter& reporter) {
  const dataflow::Origin& wrapped = view.origins[event.wrapped_at];
  // A checkpoint that is loaded into the wrapper puts the module elsewhere again.
  if (wrapped.kind == dataflow::OriginKind::kLoaded) return {};
  const dataflow::Site& wrap = wrapped.site;
  const std::optional<WrittenCall> call = call_at(wrap);
  if (!call || !is_decided_before(view.origins[tensor.origin], wrap)) return {};
  const ir::Argument* module = find_argument(call->call(), "module", 0);
  const std::string device = device_expression(event.first_device, wrap);
  if (!module || device.empty()) return {};
  if (Reporter::is_python(wrap))
    return add_suffix(call->site_of(*module), ".to(" + device + ")", reporter);
  const std::string name = reporter.source_of(call->site_of(*module));
  if (!is_name(name)) return {};
  return add_statement_before(wrap, name + "->to(" + device + ");", reporter);
}

void report(const dataflow::ParallelForwardEvent& event, const std::string& tensor_name,
            const Value& tensor, const dataflow::View& view, Reporter& reporter) {
  std::string found = place_text(tensor.place, view.names);
  std::string first = place_text(event.first_device, view.names);
  findings::Finding finding = reporter.start(rules::data_parallel_placement::kRule, event.site,
                                             "the wrapped module's '" + tensor_name + "' is on " +
                                                 found + " but device_ids[0] is " + first);
  add_origin_note(finding, "the module", tensor.origin, tensor.place, view);
  add_origin_note(finding, "the wrapper", event.wrapped_at, event.first_device, view);
  finding.predicted_error =
      rules::data_parallel_placement::message(rules::run_time_text(fact_of(event.first_device)),
                                              rules::run_time_text(fact_of(tensor.place)));
  finding.fix = "move the module to " + first + " before this call, or list its device first";
  finding.fix_its = move_where_wrapped(event, tensor, view, reporter);
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* forward = std::get_if<dataflow::ParallelForwardEvent>(&event);
  if (!forward) return;
  std::vector<std::pair<std::string, Value>> state;
  dataflow::registered_tensors(view.state, view.names, forward->module, "", state);
  for (const auto& [name, handle] : state) {
    Value tensor = view.state.decider_of(handle);
    if (rules::data_parallel_placement::judge(
            fact_of(tensor.place), fact_of(forward->first_device)) == rules::Verdict::kBroken) {
      return report(*forward, name, tensor, view, reporter);
    }
  }
}

}  // namespace

extern const Check kDataParallelPlacement{&rules::data_parallel_placement::kRule, on_event,
                                          nullptr};

}  // namespace placecheck::checks
