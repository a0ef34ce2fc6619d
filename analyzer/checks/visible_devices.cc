// visible-devices: the list of visible devices is set too late, wrongly formed, or its physical
// numbers are used where logical ones are meant.
#include "rules/visible_devices.h"

#include "analyzer/checks/check.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::visible_devices;
using dataflow::DeviceSetup;

rules::Trait started(DeviceSetup::Start start) {
  if (start == DeviceSetup::Start::kUnknown) return rules::Trait::kUnknown;
  return start == DeviceSetup::Start::kYes ? rules::Trait::kYes : rules::Trait::kNo;
}

const std::string& variable() {
  static const auto* kName = new std::string(rule::kVariable);
  return *kName;
}

void on_child(const dataflow::VisibleListEvent& event, Reporter& reporter) {
  findings::Finding finding = reporter.start(
      rule::kRule, event.site,
      variable() + " is set in a shell that ends at once: this program does not see it");
  finding.fix =
      Reporter::is_python(event.site)
          ? "set os.environ[\"" + variable() + "\"] before the first use of a device"
          : "call setenv(\"" + variable() + "\", ..., 1) before the first use of a device";
  reporter.add(std::move(finding));
}

void on_late(const dataflow::VisibleListEvent& event, const dataflow::View& view,
             Reporter& reporter) {
  findings::Finding finding = reporter.start(
      rule::kRule, event.site,
      variable() + " has no effect here: CUDA is initialised already, and reads it once");
  const dataflow::Site& begun = view.origins[event.started_at].site;
  if (begun.valid())
    finding.notes.push_back({Reporter::range_of(begun), "CUDA is initialised here"});
  finding.fix = "set it before the first use of CUDA, or before the program is started";
  reporter.add(std::move(finding));
}

void on_malformed(const dataflow::VisibleListEvent& event, Reporter& reporter) {
  int64_t seen = rule::count(event.list);
  findings::Finding finding = reporter.start(
      rule::kRule, event.site,
      variable() + " is '" + event.list + "', of which CUDA sees " +
          (seen == 0 ? "no device"
                     : std::to_string(seen) + (seen == 1 ? " device" : " devices") + " only"));
  finding.predicted_error = seen == 0 ? rule::hidden_message() : rule::message();
  finding.fix = "list different numbers with commas between them: \"0,1\"";
  reporter.add(std::move(finding));
}

void on_pieces(const dataflow::VisibleListEvent& event, Reporter& reporter) {
  findings::Finding finding =
      reporter.start(rule::kRule, event.site,
                     "setdefault() takes one text, and " + variable() + " is given as several");
  finding.predicted_error = rule::pieces_message(rule::entries(event.list).size());
  finding.fix = "list the numbers in one text: \"" + event.list + "\"";
  reporter.add(std::move(finding));
}

void on_list(const dataflow::VisibleListEvent& event, const dataflow::View& view,
             Reporter& reporter) {
  if (event.is_in_pieces) return on_pieces(event, reporter);
  if (event.in_child) return on_child(event, reporter);
  if (rule::judge_time(started(event.start)) == rules::Verdict::kBroken)
    return on_late(event, view, reporter);
  if (event.is_known && rule::judge(event.list) == rules::Verdict::kBroken)
    on_malformed(event, reporter);
}

std::string why_hidden(const dataflow::DeviceIndexEvent& event, const dataflow::View& view) {
  if (!rule::hides_all(event.list)) return "'" + event.list + "' lists none that is there";
  const bool is_programs = view.origins[event.listed_at].site.valid();
  return is_programs ? "the program has hidden them all" : "none is visible";
}

void on_physical(const dataflow::DeviceIndexEvent& event, const dataflow::View& view,
                 Reporter& reporter) {
  findings::Finding finding =
      start_where_named(rule::kRule, event, view,
                        "the number of the only visible device is used as its index: that is 0, "
                        "whichever device it is",
                        reporter);
  const dataflow::Site& listed = view.origins[event.listed_at].site;
  if (listed.valid())
    finding.notes.push_back({Reporter::range_of(listed), "the visible devices are set here"});
  finding.predicted_error = rule::message();
  finding.fix = "count from 0 in the order of the list";
  reporter.add(std::move(finding));
}

void on_index(const dataflow::DeviceIndexEvent& event, const dataflow::View& view,
              Reporter& reporter) {
  if (event.is_physical) return on_physical(event, view, reporter);
  bool hidden = event.devices == 0;
  if (!event.is_listed || rule::judge(event.list) == rules::Verdict::kBroken) return;
  if (!hidden && rule::judge_index(event.index, event.list) != rules::Verdict::kBroken) return;
  std::string last = std::to_string(event.devices - 1);
  std::string message = hidden ? "a CUDA device is used, but " + why_hidden(event, view)
                               : "cuda:" + std::to_string(event.index) +
                                     " does not exist: the visible devices '" + event.list +
                                     "' are numbered from 0, the last is cuda:" + last;
  findings::Finding finding =
      start_where_named(rule::kRule, event, view, std::move(message), reporter);
  const dataflow::Site& listed = view.origins[event.listed_at].site;
  if (listed.valid())
    finding.notes.push_back({Reporter::range_of(listed), "the visible devices are set here"});
  finding.predicted_error = hidden ? rule::hidden_message() : rule::message();
  finding.fix = hidden ? "list the devices that are to be used, or leave the list unset"
                       : "count from 0 in the order of the list";
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  if (const auto* list = std::get_if<dataflow::VisibleListEvent>(&event))
    on_list(*list, view, reporter);
  if (const auto* index = std::get_if<dataflow::DeviceIndexEvent>(&event))
    on_index(*index, view, reporter);
}

}  // namespace

extern const Check kVisibleDevices{&rules::visible_devices::kRule, on_event, nullptr};

}  // namespace placecheck::checks
