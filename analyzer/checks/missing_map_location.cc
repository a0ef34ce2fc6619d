// missing-map-location: a checkpoint is loaded without a device, onto another one than its use.
#include "rules/missing_map_location.h"

#include "analyzer/checks/device_mismatch.h"
#include "analyzer/checks/load_device_fix.h"
#include "rules/invalid_device.h"

namespace placecheck::checks {
namespace {

using dataflow::MeetEvent;
using dataflow::Operand;
using dataflow::Origin;
namespace rule = rules::missing_map_location;

// A value that was loaded, and one that it meets elsewhere.
struct Use {
  const Operand* loaded;
  const Operand* other;
};

bool is_broken(const Origin& origin, const Use& use) {
  rule::LoadFact fact;
  fact.mapped = origin.by_file ? rules::Trait::kNo : rules::Trait::kYes;
  fact.file = fact_of(use.loaded->place);
  fact.moved_to = fact_of(origin.displaced);
  fact.used = fact_of(use.other->place);
  return rule::judge(fact) == rules::Verdict::kBroken;
}

// A conflict that the operation certainly ends with, or else a move that the load has undone.
std::optional<Use> find_use(const MeetEvent& event, const dataflow::View& view) {
  if (std::optional<Conflict> conflict = find_conflict(event)) {
    const Operand* loaded = loaded_operand(*conflict, view);
    if (!loaded) return std::nullopt;
    return Use{loaded, loaded == conflict->first ? conflict->second : conflict->first};
  }
  for (const Operand& loaded : event.operands) {
    bool is_open = loaded.place.kind == dataflow::PlaceKind::kAlike;
    if (!is_open || !view.origins[loaded.origin].by_file) continue;
    for (const Operand& other : event.operands) {
      if (is_broken(view.origins[loaded.origin], {&loaded, &other})) return Use{&loaded, &other};
    }
  }
  return std::nullopt;
}

std::string message_for(const std::string& what, const std::string& other, const Use& use,
                        const Origin& origin, const dataflow::View& view) {
  std::string used = place_text(use.other->place, view.names);
  if (!use.loaded->place.is_known()) {
    return "loading without a device moves " + what + " from " +
           place_text(origin.displaced, view.names) + " to the device that the file was saved from";
  }
  return what + " is loaded without a device, onto " + place_text(use.loaded->place, view.names) +
         " where it was saved, and meets " + other + " on " + used;
}

void add_notes(findings::Finding& finding, const std::string& other, const MeetEvent& event,
               const Use& use, const Origin& origin, const dataflow::View& view) {
  const dataflow::Site& saved = view.origins[origin.saved_at].site;
  if (saved.valid()) finding.notes.push_back({Reporter::range_of(saved), "it was saved here"});
  finding.notes.push_back({Reporter::range_of(event.site), "it is used here"});
  add_origin_note(finding, other, use.other->origin, use.other->place, view);
}

void on_meet(const MeetEvent& event, const dataflow::View& view, Reporter& reporter) {
  std::optional<Use> use = find_use(event, view);
  if (!use) return;
  const Origin& origin = view.origins[use->loaded->origin];
  if (!is_broken(origin, *use)) return;
  std::string what = describe(event, *use->loaded, reporter);
  std::string other = describe(event, *use->other, reporter);
  std::string target = place_text(use->other->place, view.names);
  findings::Finding finding =
      reporter.start(rule::kRule, origin.site, message_for(what, other, *use, origin, view));
  add_notes(finding, other, event, *use, origin, view);
  bool is_known = use->loaded->place.is_known();
  std::string file = is_known ? rules::run_time_text(fact_of(use->loaded->place)) : "cpu";
  finding.predicted_error =
      rule::use_message(rules::run_time_text(fact_of(use->other->place)), file);
  finding.fix = (Reporter::is_python(origin.site) ? "give map_location"
                                                  : "give the device as the last argument") +
                std::string(", or move it to ") + target + " after loading";
  finding.fix_its = give_device(origin, use->other->place, reporter);
  if (is_known) return reporter.add(std::move(finding));
  // Not if the program itself writes the file from there.
  reporter.add_unless({origin.is_literal ? view.names.text(origin.file) : "", origin.displaced},
                      std::move(finding));
}

void on_saved_device(const dataflow::SavedDeviceEvent& event, const dataflow::View& view,
                     Reporter& reporter) {
  const bool is_python = Reporter::is_python(event.site);
  const std::string visible = event.devices == 0 ? "no device is visible"
                              : event.devices == 1
                                  ? "only cuda:0 is visible"
                                  : std::to_string(event.devices) + " devices are visible";
  findings::Finding finding =
      reporter.start(rule::kRule, event.site,
                     "the file was saved from cuda:" + std::to_string(event.index) +
                         ", and is loaded without a device where " + visible);
  const dataflow::Site& saved = view.origins[event.saved_at].site;
  if (saved.valid()) finding.notes.push_back({Reporter::range_of(saved), "it was saved here"});
  const dataflow::Site& listed = view.origins[event.listed_at].site;
  if (listed.valid())
    finding.notes.push_back({Reporter::range_of(listed), "the visible devices are set here"});
  finding.predicted_error = is_python ? rule::absent_device_message(event.index, event.devices)
                                      : std::string(rules::invalid_device::index_message());
  finding.fix = is_python ? "give map_location" : "give the device as the last argument";
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  if (const auto* beyond = std::get_if<dataflow::SavedDeviceEvent>(&event))
    on_saved_device(*beyond, view, reporter);
  if (const auto* meet = std::get_if<MeetEvent>(&event)) on_meet(*meet, view, reporter);
  if (const auto* save = std::get_if<dataflow::SaveEvent>(&event))
    reporter.doubt({save->is_literal ? save->file : "", save->place});
}

}  // namespace

const Operand* loaded_operand(const Conflict& conflict, const dataflow::View& view) {
  for (const Operand* operand : {conflict.first, conflict.second}) {
    if (view.origins[operand->origin].by_file) return operand;
  }
  return nullptr;
}

extern const Check kMissingMapLocation{&rules::missing_map_location::kRule,
                                       on_event,
                                       nullptr,
                                       {"device-mismatch", "hardcoded-device"}};

}  // namespace placecheck::checks
