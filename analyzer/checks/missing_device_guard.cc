// missing-device-guard: an exported function gives work to the device that its caller left current,
// on tensors that may be on another.
#include "rules/missing_device_guard.h"

#include <algorithm>

#include "analyzer/checks/check.h"
#include "analyzer/checks/exported_work.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::missing_device_guard;
using rules::Trait;

Trait trait(bool holds) { return holds ? Trait::kYes : Trait::kNo; }

// Who selects the device in Python relies on nobody else calling the function.
void consider_callers(findings::Finding& finding, const dataflow::View& view, Reporter& reporter) {
  const dataflow::Site* call = reporter.caller_with_device(*view.exported);
  if (!call) return;
  finding.severity = rules::Severity::kAdvice;
  finding.notes.push_back({Reporter::range_of(*call), "Python selects a device around this call"});
}

// What the first call has done may be why it is not done here.
void tell_of_later_call(findings::Finding& finding, const dataflow::View& view) {
  if (!view.is_later_call) return;
  const dataflow::Site begin{view.program.unit_of(*view.exported), view.exported->range};
  finding.notes.push_back({Reporter::range_of(begin),
                           "from the second call on: what the first one did is not done again"});
}

// Memory that was allocated before any device was selected, for work on a device that was.
const dataflow::MemoryFact* early_memory(const dataflow::DeviceWorkEvent& work,
                                         const dataflow::View& view) {
  if (work.current.kind != dataflow::PlaceKind::kAlike) return nullptr;
  const auto is_callers = [&](const dataflow::MemoryFact& each) {
    const dataflow::Place& place = each.place;
    return place.kind == dataflow::PlaceKind::kCuda && place.symbol != 0 &&
           view.names.text(place.symbol) == dataflow::kCallersDevice;
  };
  const auto found = std::ranges::find_if(work.operands, is_callers);
  return found == work.operands.end() ? nullptr : &*found;
}

void report_early_memory(const dataflow::DeviceWorkEvent& work, const dataflow::MemoryFact& memory,
                         const dataflow::View& view, Reporter& reporter) {
  const dataflow::Site& site = view.origins[memory.origin].site;
  if (!site.valid() || has_own_guard(work.site, view)) return;
  const std::string tensor = parameter_of(work.current.symbol, view);
  findings::Finding finding = reporter.start(
      rule::kRule, site,
      "this is allocated on whatever device is current when " + name_of(*view.exported) +
          " is called, for work on the device of '" + tensor + "'");
  finding.notes.push_back({Reporter::range_of(work.site), what_runs(work) + " is given it here"});
  consider_callers(finding, view, reporter);
  finding.predicted_error = rule::message();
  finding.fix = "allocate it where the device of '" + tensor + "' has been selected";
  reporter.add_once(view.exported->key, std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* work = std::get_if<dataflow::DeviceWorkEvent>(&event);
  // Where a guard has ended before, the finding is that.
  if (!work || !view.exported || work->released_at != 0) return;
  std::vector<dataflow::Name> tensors = callers_tensors(*work);
  const dataflow::MemoryFact* early = early_memory(*work, view);
  rules::Verdict verdict = rule::judge(trait(!tensors.empty()), trait(!work->is_callers && !early),
                                       trait(is_compared_with_current(view)));
  if (verdict != rules::Verdict::kBroken) return;
  if (early) return report_early_memory(*work, *early, view, reporter);
  if (has_own_guard(work->site, view)) return;
  findings::Finding finding = reporter.start(
      rule::kRule, work->site,
      what_runs(*work) + " runs on whatever device is current when " + name_of(*view.exported) +
          " is called: nothing selects the device of '" + parameter_of(tensors[0], view) + "'");
  add_way(finding, view);
  tell_of_later_call(finding, view);
  consider_callers(finding, view, reporter);
  finding.predicted_error = rule::message();
  add_guard_fix(finding, *work, view, reporter);
  reporter.note_found(look_up_of_missing_guard(*view.exported));
  reporter.add_once(view.exported->key, std::move(finding));
}

}  // namespace

extern const Check kMissingDeviceGuard{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
