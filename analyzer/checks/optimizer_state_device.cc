// optimizer-state-device: an optimizer's state is on another device than the parameters that it
// updates.
#include "rules/optimizer_state_device.h"

#include "analyzer/checks/check.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::optimizer_state_device;

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* step = std::get_if<dataflow::OptimizerStepEvent>(&event);
  if (!step) return;
  rules::DeviceFact state = fact_of(step->state);
  rules::DeviceFact parameters = fact_of(step->parameters);
  if (rule::judge(state, parameters) != rules::Verdict::kBroken) return;
  std::string optimizer = reporter.quoted({step->site.unit, step->receiver}, "the optimizer");
  findings::Finding finding =
      reporter.start(rule::kRule, step->site,
                     "the state of " + optimizer + " is on " + place_text(step->state, view.names) +
                         ", but its parameters are on " + place_text(step->parameters, view.names));
  const dataflow::Origin& made = view.origins[step->state_origin];
  const bool is_loaded = made.kind == dataflow::OriginKind::kLoaded;
  if (made.site.valid()) {
    finding.notes.push_back({Reporter::range_of(made.site),
                             is_loaded ? "its state is loaded here"
                                       : "its state is put on the parameters' device here"});
  }
  add_origin_note(finding, "each parameter", step->parameters_origin, step->parameters, view);
  finding.predicted_error = rule::message(state, parameters);
  finding.fix =
      is_loaded ? "load the state onto the parameters' device: torch::load(optimizer, file, device)"
                : "move the module before the optimizer is made and before its state is loaded";
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kOptimizerStateDevice{&rule::kRule, on_event, nullptr, {"device-mismatch"}};

}  // namespace placecheck::checks
