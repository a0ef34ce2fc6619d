// generator-device: a random number generator of one kind of device is used for a tensor on
// another.
#include "rules/generator_device.h"

#include "analyzer/checks/check.h"
#include "analyzer/dataflow/dynamic.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::generator_device;

std::string kind_of(const dataflow::Place& place) { return place.is_cpu() ? "cpu" : "cuda"; }

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* use = std::get_if<dataflow::HandleUseEvent>(&event);
  if (!use || use->what != dataflow::kGenerator) return;
  if (rule::judge(fact_of(use->place), fact_of(use->needed)) != rules::Verdict::kBroken) return;
  const bool is_python = view.function && dataflow::is_dynamic(*view.function);
  const std::string operation(is_python ? ir::last_component(use->operation)
                                        : std::string_view(use->operation));
  std::string generator = reporter.quoted({use->site.unit, use->range}, "the generator");
  std::string tensor = place_text(use->needed, view.names);
  findings::Finding finding =
      reporter.start(rule::kRule, use->site,
                     generator + " draws on " + place_text(use->place, view.names) + ", but '" +
                         operation + "' uses it for a tensor on " + tensor);
  add_origin_note(finding, generator, use->origin, use->place, view);
  add_origin_note(finding, "the tensor", use->needed_at, use->needed, view);
  finding.predicted_error = rule::message(kind_of(use->needed), kind_of(use->place));
  const char* made = is_python              ? "torch.Generator(device=...)"
                     : use->needed.is_cpu() ? "at::make_generator<at::CPUGeneratorImpl>()"
                                            : "at::make_generator<at::CUDAGeneratorImpl>(index)";
  finding.fix = std::string("make the generator for that device: ") + made;
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kGeneratorDevice{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
