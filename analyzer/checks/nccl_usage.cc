// nccl-usage: ranks of a collective that do not agree, that are asked one after the other, or whose
// buffers and streams are on another device.
#include "rules/nccl_usage.h"

#include "analyzer/checks/check.h"
#include "analyzer/checks/memory.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::nccl_usage;
using dataflow::CollectiveEvent;
using rules::Verdict;

constexpr std::string_view kTypeNames[] = {
    "ncclInt8",   "ncclUint8",   "ncclInt32",   "ncclUint32",  "ncclInt64",
    "ncclUint64", "ncclFloat16", "ncclFloat32", "ncclFloat64", "ncclBfloat16",
};

std::string rank_text(int64_t rank) { return "rank " + std::to_string(rank); }

// Where what is compared is not a number on both sides, it is left out.
rule::Call call_of(const dataflow::Collective& call, const dataflow::Collective& other,
                   const dataflow::View& view) {
  auto number = [](const dataflow::Value& own, const dataflow::Value& with) {
    bool known = own.is(dataflow::ValueKind::kInt) && with.is(dataflow::ValueKind::kInt);
    return known ? own.number : 0;
  };
  rule::Call result;
  result.operation = view.names.text(call.operation);
  auto type = static_cast<size_t>(number(call.dtype, other.dtype));
  result.dtype = type < std::size(kTypeNames) ? kTypeNames[type] : "another type";
  result.count = number(call.count, other.count);
  result.root = number(call.root, other.root);
  return result;
}

void add_call_note(findings::Finding& finding, const dataflow::Collective& call,
                   const dataflow::View& view) {
  const dataflow::Site& site = view.origins[call.at].site;
  findings::SourceRange range = Reporter::range_of(site);
  if (site.valid() && range != finding.range)
    finding.notes.push_back({range, rank_text(call.rank) + "'s call is here"});
}

// A loop whose turns run on threads of their own looks as if one thread ran them all.
bool may_run_in_parallel(const CollectiveEvent& event, Reporter& reporter) {
  return reporter.file_mentions(event.site, "omp parallel");
}

void on_ungrouped(const CollectiveEvent& event, const dataflow::View& view, Reporter& reporter) {
  const dataflow::Collective& first = event.calls[0];
  const dataflow::Collective& second = event.calls[1];
  if (rule::judge_order(/*is_grouped=*/false, first.rank, second.rank) != Verdict::kBroken) return;
  if (may_run_in_parallel(event, reporter)) return;
  findings::Finding finding = reporter.start(
      rule::kRule, event.site,
      event.operation + " is called for " + rank_text(first.rank) + " and then for " +
          rank_text(second.rank) + " by one thread, outside of a group");
  add_call_note(finding, first, view);
  finding.predicted_error = rule::order_message();
  finding.fix = "put the calls for all ranks between ncclGroupStart() and ncclGroupEnd()";
  reporter.add(std::move(finding));
}

void on_grouped(const CollectiveEvent& event, const dataflow::View& view, Reporter& reporter) {
  const dataflow::Collective& first = event.calls[0];
  const dataflow::Collective& second = event.calls[1];
  rule::Call a = call_of(first, second, view);
  rule::Call b = call_of(second, first, view);
  if (rule::judge_calls(a, b) != Verdict::kBroken || may_run_in_parallel(event, reporter)) return;
  findings::Finding finding =
      reporter.start(rule::kRule, view.origins[second.at].site,
                     "the ranks of " + std::string(a.operation) + " do not agree: " +
                         rule::calls_message(static_cast<size_t>(first.rank), a,
                                             static_cast<size_t>(second.rank), b));
  add_call_note(finding, first, view);
  finding.predicted_error = rule::order_message();
  finding.fix = "give all ranks the same operation, count, type and root";
  reporter.add(std::move(finding));
}

void on_devices(const CollectiveEvent& event, const dataflow::View& view, Reporter& reporter) {
  std::vector<rules::DeviceFact> devices;
  std::string list;
  for (const dataflow::Place& each : event.devices) {
    devices.push_back(fact_of(each));
    list += (list.empty() ? "" : ", ") + place_text(each, view.names);
  }
  if (rule::judge_devices(devices) != Verdict::kBroken) return;
  findings::Finding finding =
      reporter.start(rule::kRule, event.site, "two ranks are given the same device, of " + list);
  finding.predicted_error = "ncclInvalidUsage: Duplicate GPU detected";
  finding.fix = "list each device once";
  reporter.add(std::move(finding));
}

void on_root_beyond(const CollectiveEvent& event, Reporter& reporter) {
  findings::Finding finding = reporter.start(
      rule::kRule, event.site,
      event.operation + ": the number of ranks is used as the root, which is none of them");
  finding.predicted_error = "ncclInvalidArgument: invalid root";
  finding.fix = "subtract one: ranks count from 0";
  reporter.add(std::move(finding));
}

void on_root(const CollectiveEvent& event, Reporter& reporter) {
  if (event.is_beyond_ranks) return on_root_beyond(event, reporter);
  const int64_t root = event.calls[0].root.number;
  if (rule::judge_root(root, event.ranks) != Verdict::kBroken) return;
  findings::Finding finding = reporter.start(
      rule::kRule, event.site, rule::root_message(event.operation, root, event.ranks));
  finding.predicted_error = "ncclInvalidArgument: invalid root " + std::to_string(root);
  finding.fix = "name a rank of the communicator: ranks count from 0, whatever their devices are";
  reporter.add(std::move(finding));
}

void on_open(const CollectiveEvent& event, Reporter& reporter) {
  findings::Finding finding =
      reporter.start(rule::kRule, event.site,
                     "the group that is opened here is not closed before the program ends");
  finding.fix = "call ncclGroupEnd() after the last call of the group";
  reporter.add(std::move(finding));
}

void on_unopened(const CollectiveEvent& event, Reporter& reporter) {
  findings::Finding finding =
      reporter.start(rule::kRule, event.site, "this closes a group, but none was opened before");
  finding.predicted_error = rule::unopened_message();
  finding.fix = "call ncclGroupStart() before the first call of the group";
  reporter.add(std::move(finding));
}

void on_collective(const CollectiveEvent& event, const dataflow::View& view, Reporter& reporter) {
  switch (event.kind) {
    case CollectiveEvent::Kind::kDevices:
      return on_devices(event, view, reporter);
    case CollectiveEvent::Kind::kUngrouped:
      return on_ungrouped(event, view, reporter);
    case CollectiveEvent::Kind::kGrouped:
      return on_grouped(event, view, reporter);
    case CollectiveEvent::Kind::kOpen:
      return on_open(event, reporter);
    case CollectiveEvent::Kind::kUnopened:
      return on_unopened(event, reporter);
    case CollectiveEvent::Kind::kRoot:
      return on_root(event, reporter);
  }
}

void on_buffer(const dataflow::MemoryUseEvent& event, const dataflow::View& view,
               Reporter& reporter) {
  // Memory of the host is another rule's.
  bool is_its = event.operation.starts_with("nccl") && event.memory.place.is_accelerator();
  if (!is_its) return;
  Verdict verdict = rule::judge_buffer(fact_of(event.memory.place), fact_of(event.current));
  if (verdict != Verdict::kBroken) return;
  findings::Finding finding = reporter.start(
      rule::kRule, event.site,
      memory_text(event.memory, event.site, "the buffer", view, reporter) +
          ", but the communicator belongs to " + place_text(event.current, view.names));
  add_memory_note(finding, event.memory, event.site, view, reporter);
  add_origin_note(finding, "the communicator", event.selected_at, event.current, view);
  finding.predicted_error = "CUDA error: an illegal memory access was encountered";
  finding.fix =
      "pass a buffer on the communicator's device, or select the device before "
      "ncclCommInitRank";
  reporter.add(std::move(finding));
}

void on_stream(const dataflow::HandleUseEvent& event, const dataflow::View& view,
               Reporter& reporter) {
  if (!event.operation.starts_with("nccl")) return;
  Verdict verdict = rule::judge_buffer(fact_of(event.place), fact_of(event.needed));
  if (verdict != Verdict::kBroken) return;
  std::string name = reporter.quoted({event.site.unit, event.range}, "the " + event.what);
  findings::Finding finding = reporter.start(
      rule::kRule, event.site,
      name + " is a stream of " + place_text(event.place, view.names) +
          ", but the communicator belongs to " + place_text(event.needed, view.names));
  add_origin_note(finding, name, event.origin, event.place, view);
  add_origin_note(finding, "the communicator", event.needed_at, event.needed, view);
  finding.predicted_error = "CUDA error: invalid resource handle";
  finding.fix = "make a stream for each device, after selecting it";
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  if (const auto* call = std::get_if<CollectiveEvent>(&event)) on_collective(*call, view, reporter);
  if (const auto* memory = std::get_if<dataflow::MemoryUseEvent>(&event))
    on_buffer(*memory, view, reporter);
  if (const auto* handle = std::get_if<dataflow::HandleUseEvent>(&event))
    on_stream(*handle, view, reporter);
}

}  // namespace

extern const Check kNcclUsage{&rules::nccl_usage::kRule, on_event, nullptr};

}  // namespace placecheck::checks
