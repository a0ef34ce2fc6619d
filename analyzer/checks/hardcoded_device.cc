// hardcoded-device: a forward puts a tensor on a fixed device, where it meets the caller's.
#include "rules/hardcoded_device.h"

#include <algorithm>

#include "analyzer/checks/device_mismatch.h"
#include "analyzer/checks/input_device_fix.h"

namespace placecheck::checks {
namespace {

using dataflow::MeetEvent;
using dataflow::Operand;
using dataflow::Origin;
using dataflow::OriginKind;
namespace rule = rules::hardcoded_device;

rules::Trait fixed(const Origin& origin) {
  bool is_made = origin.kind == OriginKind::kCreated || origin.kind == OriginKind::kMoved;
  return is_made && origin.fixed ? rules::Trait::kYes : rules::Trait::kNo;
}

bool came_in(const Operand& operand) { return operand.decider.input != dataflow::Value::kNotInput; }

// All of the operation that were put where `made` is, for the finding goes with the last of them.
FixIts put_each_on_input_device(const MeetEvent& meet, const Operand& made, const Operand& given,
                                const dataflow::View& view, Reporter& reporter) {
  FixIts all;
  for (const Operand& each : meet.operands) {
    const Origin& origin = view.origins[each.origin];
    const bool is_like_it = &each == &made || (each.place == made.place && !came_in(each) &&
                                               fixed(origin) == rules::Trait::kYes);
    if (!is_like_it) continue;
    const FixIts own = put_on_input_device(origin, given, meet, reporter);
    if (own.empty()) return {};
    for (const findings::FixIt& fix_it : own) {
      if (std::ranges::find(all, fix_it) == all.end()) all.push_back(fix_it);
    }
  }
  return all;
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* meet = std::get_if<MeetEvent>(&event);
  if (!meet) return;
  std::optional<Conflict> conflict = find_conflict(*meet);
  if (!conflict) return;
  const Operand* made = hardcoded_operand(*conflict, view);
  if (!made) return;
  const Operand* given = made == conflict->first ? conflict->second : conflict->first;
  const Origin& origin = view.origins[made->origin];
  if (rule::judge(operand_fact(*made), fixed(origin), operand_fact(*given),
                  mixing_of(meet->rule)) != rules::Verdict::kBroken) {
    return;
  }
  std::string how = origin.kind == OriginKind::kMoved ? " is moved to " : " is made on ";
  findings::Finding finding =
      reporter.start(rule::kRule, meet->site,
                     describe(*meet, *made, reporter) + how + place_text(made->place, view.names) +
                         " inside the forward, but " + describe(*meet, *given, reporter) +
                         " is on " + place_text(given->place, view.names));
  add_evidence(finding, *meet, *conflict, view, reporter);
  finding.fix = Reporter::is_python(meet->site)
                    ? "take the device from the input: device=x.device, or torch.zeros_like(x)"
                    : "take the device from the input: x.device(), or x.options() for a new tensor";
  finding.fix_its = put_each_on_input_device(*meet, *made, *given, view, reporter);
  reporter.add(std::move(finding));
}

}  // namespace

const Operand* hardcoded_operand(const Conflict& conflict, const dataflow::View& view) {
  if (!view.in_forward) return nullptr;
  for (const Operand* made : {conflict.first, conflict.second}) {
    const Operand* given = made == conflict.first ? conflict.second : conflict.first;
    bool is_fixed = fixed(view.origins[made->origin]) == rules::Trait::kYes;
    bool is_written = made->place.kind != dataflow::PlaceKind::kChosen;
    if (is_fixed && is_written && !came_in(*made) && came_in(*given)) return made;
  }
  return nullptr;
}

extern const Check kHardcodedDevice{
    &rules::hardcoded_device::kRule, on_event, nullptr, {"device-mismatch"}};

}  // namespace placecheck::checks
