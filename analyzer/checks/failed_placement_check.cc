// failed-placement-check: a condition on where tensors live leads to an exception.
#include "rules/failed_placement_check.h"

#include "analyzer/checks/check.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::failed_placement_check;

std::string message_of(const dataflow::FailedCheckEvent& event, const dataflow::View& view,
                       Reporter& reporter) {
  std::string check = "the check " + reporter.quoted(event.site, "of where a tensor lives");
  if (event.operands.empty()) return check + " raises an exception";
  std::string text;
  for (const dataflow::Operand& each : event.operands) {
    if (!text.empty()) text += &each == &event.operands.back() ? " and " : ", ";
    text += reporter.quoted({event.site.unit, each.range}, "the tensor") + " is on " +
            place_text(each.place, view.names);
  }
  return text + ", so " + check + " raises an exception";
}

// Where it is plain what should move: what is alone on the CPU.
std::string fix_of(const dataflow::FailedCheckEvent& event, const dataflow::View& view,
                   Reporter& reporter) {
  if (event.wanted == dataflow::Place::cuda(dataflow::Place::kCurrent))
    return "compare the types of the devices, or give the device an index: without one it is not "
           "equal to one that has an index";
  dataflow::Place wanted = event.wanted;
  const dataflow::Operand* misplaced = nullptr;
  for (const dataflow::Operand& each : event.operands) {
    if (event.wanted.is_known() || each.place.is_cpu())
      misplaced = &each;
    else
      wanted = each.place;
  }
  if (!misplaced || !wanted.is_known()) return "move the tensor to the device that is asked for";
  std::string what = reporter.quoted({event.site.unit, misplaced->range}, "the tensor");
  return "move " + what + " to " + place_text(wanted, view.names) + " before the check";
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* failed = std::get_if<dataflow::FailedCheckEvent>(&event);
  if (!failed || rule::judge(rules::Trait::kNo) != rules::Verdict::kBroken) return;
  findings::Finding finding =
      reporter.start(rule::kRule, failed->site, message_of(*failed, view, reporter));
  for (const dataflow::Operand& each : failed->operands) {
    std::string what = reporter.quoted({failed->site.unit, each.range}, "the tensor");
    add_origin_note(finding, what, each.origin, each.place, view);
  }
  if (!view.calls.empty())
    finding.notes.push_back({Reporter::range_of(view.calls.back()), "it is called from here"});
  finding.predicted_error =
      failed->text.empty() ? std::string(rule::kRule.predicted_error) : failed->text;
  finding.fix = fix_of(*failed, view, reporter);
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kFailedPlacementCheck{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
