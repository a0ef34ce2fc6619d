// rank-device: every process of a group works on the same GPU, since none was chosen by its rank.
#include "rules/rank_device.h"

#include "analyzer/checks/check.h"
#include "analyzer/checks/ranks.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::rank_device;
using rules::Trait;

// Where the program computes the list of visible devices, whoever starts it may give each process
// its own.
constexpr const char* kListsDevices = "a list of visible devices that is computed";

std::string what_it_is(const dataflow::RankDeviceEvent& event, Reporter& reporter) {
  if (event.range.valid()) return reporter.quoted({event.site.unit, event.range}, "the tensor");
  return event.module != dataflow::kNoObject ? "the module" : "the communicator";
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* listed = std::get_if<dataflow::VisibleListEvent>(&event);
  if (listed && !listed->is_known) reporter.note_found(kListsDevices);
  const auto* used = std::get_if<dataflow::RankDeviceEvent>(&event);
  if (!used) return;
  const Trait is_alone = is_of_one_rank(view) ? Trait::kYes : Trait::kNo;
  if (rule::judge(fact_of(used->place), is_alone) != rules::Verdict::kBroken) return;
  const std::string what = what_it_is(*used, reporter);
  const std::string place = place_text(used->place, view.names);
  findings::Finding finding = reporter.start(
      rule::kRule, used->site,
      used->is_listed ? "device_ids names " + place + " in each process, whatever its rank"
                      : "in each process " + what + " is on " + place +
                            ": no device was chosen by the rank before " + used->operation);
  add_origin_note(finding, what, used->origin, used->place, view);
  finding.predicted_error = rule::message();
  finding.fix = used->is_listed ? "list the device of this process: device_ids=[local_rank]"
                : Reporter::is_python(used->site)
                    ? "call torch.cuda.set_device(local_rank) first, and move to that device"
                    : "call cudaSetDevice() with the process's own number first";
  // One of a program is enough: whatever else it does has the same cause.
  reporter.add_once_unless_found("", {kListsDevices}, std::move(finding));
}

}  // namespace

extern const Check kRankDevice{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
