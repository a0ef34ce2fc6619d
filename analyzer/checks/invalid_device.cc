// invalid-device: a device text that does not parse, or an index beyond the devices there are.
#include "rules/invalid_device.h"

#include "analyzer/checks/check.h"
#include "rules/visible_devices.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::invalid_device;

bool is_broken(const dataflow::DeviceTextEvent& event) {
  rules::Verdict verdict =
      event.is_whole ? rule::judge(event.text) : rule::judge_beginning(event.text);
  return verdict == rules::Verdict::kBroken;
}

std::string fix_for(const dataflow::DeviceTextEvent& event) {
  std::string_view text = event.text;
  bool means_cuda = text.starts_with("gpu") || text.starts_with("GPU") || text.starts_with("CUDA");
  if (means_cuda) return "the name of the type is \"cuda\", with \":N\" for the N-th device";
  return "write the type in lower case and the index after a colon: \"cuda:0\"";
}

void on_number(const dataflow::DeviceTextEvent& event, Reporter& reporter) {
  const bool is_literal = event.text.find_first_not_of("0123456789") == std::string::npos;
  findings::Finding finding =
      reporter.start(rule::kRule, event.site,
                     "map_location is " + (is_literal ? "the number " + event.text : event.text) +
                         ": it takes a device, its name, a table or a function");
  finding.predicted_error = std::string(rule::kNumberAsLocation);
  finding.fix = is_literal ? "name the device: map_location=\"cuda:" + event.text + "\""
                           : "make it a device: map_location=torch.device(\"cuda\", ...)";
  reporter.add(std::move(finding));
}

void on_rank(const dataflow::DeviceTextEvent& event, Reporter& reporter) {
  findings::Finding finding = reporter.start(
      rule::kRule, event.site,
      "the value of " + event.variable + " is a text: '" + event.text + "' is no name of a device");
  finding.predicted_error = rule::message(event.text);
  finding.fix = "make it a number: int(os.environ[\"" + event.variable + "\"])";
  reporter.add(std::move(finding));
}

void on_autocast(const dataflow::AutocastTypeEvent& event, Reporter& reporter) {
  findings::Finding finding = reporter.start(
      rule::kRule, event.site, "autocast takes the type of a device, and this is a device");
  finding.predicted_error = std::string(rule::kDeviceAsType);
  finding.fix = "give it the type: device.type";
  reporter.add(std::move(finding));
}

void on_text(const dataflow::DeviceTextEvent& event, Reporter& reporter) {
  if (event.is_number) return on_number(event, reporter);
  if (!event.variable.empty()) return on_rank(event, reporter);
  if (!is_broken(event)) return;
  std::string what = (event.is_whole ? "'" : "a text that begins with '") + event.text +
                     "' is not the name of a device";
  findings::Finding finding = reporter.start(rule::kRule, event.site, what);
  finding.predicted_error = rule::message(event.text);
  finding.fix = fix_for(event);
  reporter.add(std::move(finding));
}

std::string devices_text(int64_t devices) {
  return std::to_string(devices) + (devices == 1 ? " device" : " devices");
}

struct Excess {
  std::string_view what;
  std::string_view fix;
};

Excess excess_of(const dataflow::DeviceIndexEvent& event) {
  if (event.is_of_node)
    return {
        "the rank among all nodes is used as an index: on any node but the first, it is beyond "
        "the last device",
        "use the rank within the node"};
  if (event.is_of_last)
    return {"computed from the number of the last device, this index is beyond that device",
            "begin again at 0: take the remainder by the number of devices"};
  return {"the number of devices is used as an index: the last device is one below it",
          "subtract one: indices count from 0"};
}

void on_count(const dataflow::DeviceIndexEvent& event, const dataflow::View& view,
              Reporter& reporter) {
  const Excess excess = excess_of(event);
  findings::Finding finding =
      start_where_named(rule::kRule, event, view, std::string(excess.what), reporter);
  finding.predicted_error = rule::index_message();
  finding.fix = excess.fix;
  reporter.add(std::move(finding));
}

std::string what_there_is(const dataflow::DeviceIndexEvent& event, const dataflow::View& view) {
  const std::string devices = devices_text(event.devices);
  const std::string are = event.devices == 1 ? "is" : "are";
  if (!event.is_listed) return "there " + are + " " + devices;
  const bool is_programs = view.origins[event.listed_at].site.valid();
  return is_programs ? "the program makes " + devices + " visible"
                     : devices + " " + are + " visible";
}

void on_index(const dataflow::DeviceIndexEvent& event, const dataflow::View& view,
              Reporter& reporter) {
  if (event.is_physical) return;  // visible-devices reports it
  if (event.is_count) return on_count(event, view, reporter);
  bool is_other_rule = event.is_listed && (event.devices == 0 ||
                                           rules::visible_devices::judge_index(
                                               event.index, event.list) == rules::Verdict::kBroken);
  if (is_other_rule || rule::judge_index(event.index, event.devices) != rules::Verdict::kBroken)
    return;
  findings::Finding finding = start_where_named(
      rule::kRule, event, view,
      "cuda:" + std::to_string(event.index) + " does not exist: " + what_there_is(event, view),
      reporter);
  const dataflow::Site& listed = view.origins[event.listed_at].site;
  if (event.is_listed && listed.valid())
    finding.notes.push_back({Reporter::range_of(listed), "the visible devices are set here"});
  finding.predicted_error = rule::index_message();
  finding.fix = "use an index below " + std::to_string(event.devices) + ", or test torch" +
                (Reporter::is_python(event.site) ? "." : "::") + "cuda" +
                (Reporter::is_python(event.site) ? "." : "::") + "device_count() first";
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  if (const auto* text = std::get_if<dataflow::DeviceTextEvent>(&event)) on_text(*text, reporter);
  if (const auto* index = std::get_if<dataflow::DeviceIndexEvent>(&event))
    on_index(*index, view, reporter);
  if (const auto* autocast = std::get_if<dataflow::AutocastTypeEvent>(&event))
    on_autocast(*autocast, reporter);
}

}  // namespace

extern const Check kInvalidDevice{&rules::invalid_device::kRule, on_event, nullptr};

}  // namespace placecheck::checks
