// cuda-current-device: memory, a stream, an event or a handle of one device is used while another
// is current.
#include "rules/cuda_current_device.h"

#include "analyzer/checks/check.h"
#include "analyzer/checks/memory.h"
#include "analyzer/dataflow/dynamic.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::cuda_current_device;

void add_selection_note(findings::Finding& finding, const dataflow::Place& place,
                        dataflow::OriginId origin, const dataflow::View& view) {
  const dataflow::Origin& source = view.origins[origin];
  if (!source.site.valid()) return;
  bool is_made = source.kind == dataflow::OriginKind::kAllocated;
  std::string text = place_text(place, view.names) +
                     (is_made ? " was current where this was made" : " became current here");
  finding.notes.push_back({Reporter::range_of(source.site), text});
}

std::string operation_text(const std::string& operation) {
  return operation == "launch" ? "the kernel" : operation;
}

void on_memory(const dataflow::MemoryUseEvent& event, const dataflow::View& view,
               Reporter& reporter) {
  bool is_other_rule = event.operation.starts_with("nccl");
  if (event.user != dataflow::MemoryUser::kDevice || is_other_rule) return;
  rules::Verdict verdict =
      rule::judge_memory(fact_of(event.memory.place), fact_of(event.current), event.shared);
  if (verdict != rules::Verdict::kBroken) return;
  std::string current = place_text(event.current, view.names);
  findings::Finding finding =
      reporter.start(rule::kRule, event.site,
                     memory_text(event.memory, event.site, "the pointer", view, reporter) +
                         ", but " + operation_text(event.operation) + " runs on " + current);
  add_memory_note(finding, event.memory, event.site, view, reporter);
  add_selection_note(finding, event.current, event.selected_at, view);
  finding.predicted_error = rule::memory_message();
  finding.fix = "call cudaSetDevice(" + std::to_string(event.memory.place.index) +
                ") first, or cudaDeviceEnablePeerAccess where the devices allow it";
  reporter.add(std::move(finding));
}

void on_handle(const dataflow::HandleUseEvent& event, const dataflow::View& view,
               Reporter& reporter) {
  if (event.operation.starts_with("nccl") || event.what == dataflow::kGenerator) return;
  rules::Verdict verdict = rule::judge_handle(fact_of(event.place), fact_of(event.needed));
  if (verdict != rules::Verdict::kBroken) return;
  std::string name = reporter.quoted({event.site.unit, event.range}, "the " + event.what);
  findings::Finding finding = reporter.start(
      rule::kRule, event.site,
      name + " is a" + (event.what == "event" ? "n " : " ") + event.what + " of " +
          place_text(event.place, view.names) + ", but " + operation_text(event.operation) +
          " uses it for " + place_text(event.needed, view.names));
  add_origin_note(finding, name, event.origin, event.place, view);
  add_selection_note(finding, event.needed, event.needed_at, view);
  finding.predicted_error = rule::handle_message(event.what);
  finding.fix = "call cudaSetDevice(" + std::to_string(event.place.index) +
                ") first, or make one for each device";
  reporter.add(std::move(finding));
}

void on_query(const dataflow::DeviceQueryEvent& event, const dataflow::View& view,
              Reporter& reporter) {
  const std::string current = place_text(event.current, view.names);
  findings::Finding finding = reporter.start(
      rule::kRule, event.site,
      "this asks " + current + " for each of the devices: nothing selects the other ones");
  finding.severity = rules::Severity::kWarning;
  finding.predicted_error = "no error: each device seems to have the memory of " + current;
  finding.fix = view.function && dataflow::is_dynamic(*view.function)
                    ? "give the device: torch.cuda.mem_get_info(device)"
                    : "call cudaSetDevice() for each device first";
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  if (const auto* memory = std::get_if<dataflow::MemoryUseEvent>(&event))
    on_memory(*memory, view, reporter);
  if (const auto* handle = std::get_if<dataflow::HandleUseEvent>(&event))
    on_handle(*handle, view, reporter);
  if (const auto* query = std::get_if<dataflow::DeviceQueryEvent>(&event))
    on_query(*query, view, reporter);
}

}  // namespace

extern const Check kCudaCurrentDevice{&rules::cuda_current_device::kRule, on_event, nullptr};

}  // namespace placecheck::checks
