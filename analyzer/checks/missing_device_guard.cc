// missing-device-guard: an exported function gives work to the device that its caller left current,
// on tensors that may be on another.
#include "rules/missing_device_guard.h"

#include "analyzer/checks/check.h"
#include "analyzer/checks/exported_work.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::missing_device_guard;
using rules::Trait;

Trait trait(bool holds) { return holds ? Trait::kYes : Trait::kNo; }

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* work = std::get_if<dataflow::DeviceWorkEvent>(&event);
  // Where a guard has ended before, the finding is that.
  if (!work || !view.exported || work->released_at != 0) return;
  std::vector<dataflow::Name> tensors = callers_tensors(*work);
  rules::Verdict verdict = rule::judge(trait(!tensors.empty()), trait(!work->is_callers),
                                       trait(is_compared_with_current(view)));
  if (verdict != rules::Verdict::kBroken || has_own_guard(work->site, view)) return;
  findings::Finding finding = reporter.start(
      rule::kRule, work->site,
      what_runs(*work) + " runs on whatever device is current when " + name_of(*view.exported) +
          " is called: nothing selects the device of '" + parameter_of(tensors[0], view) + "'");
  add_way(finding, view);
  finding.predicted_error = rule::message();
  add_guard_fix(finding, *work, view, reporter);
  reporter.add_once(view.exported->key, std::move(finding));
}

}  // namespace

extern const Check kMissingDeviceGuard{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
