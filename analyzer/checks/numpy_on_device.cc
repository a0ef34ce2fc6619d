// numpy-on-device: a tensor that is on a GPU becomes an array of the host.
#include "rules/numpy_on_device.h"

#include "analyzer/checks/check.h"
#include "analyzer/checks/edits.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::numpy_on_device;

FixIts copy_to_host(const dataflow::HostArrayEvent& made, Reporter& reporter) {
  const dataflow::Site site{made.site.unit, made.range};
  if (!made.is_element) return add_suffix(site, ".cpu()", reporter);
  if (!is_name(reporter.source_of(site))) return {};
  return {insert_before(site, "[each.cpu() for each in "), insert_behind(site, "]")};
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* made = std::get_if<dataflow::HostArrayEvent>(&event);
  if (!made || rule::judge(fact_of(made->place)) != rules::Verdict::kBroken) return;
  std::string what = reporter.quoted({made->site.unit, made->range}, "the tensor");
  findings::Finding finding =
      reporter.start(rule::kRule, made->site,
                     what + " is on " + place_text(made->place, view.names) +
                         ": numpy arrays are in the memory of the host");
  add_origin_note(finding, what, made->origin, made->place, view);
  finding.predicted_error = rule::message(rules::run_time_text(fact_of(made->place)));
  finding.fix = "copy it to the CPU first: .cpu().numpy()";
  finding.fix_its = copy_to_host(*made, reporter);
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kNumpyOnDevice{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
