// cuda-pointer-placement: memory of the host is given to code on a device, or the other way round.
#include "rules/cuda_pointer_placement.h"

#include "analyzer/checks/check.h"
#include "analyzer/checks/memory.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::cuda_pointer_placement;

rule::User user_of(const dataflow::MemoryUseEvent& event) {
  switch (event.user) {
    case dataflow::MemoryUser::kDevice:
      return rule::User::kDevice;
    case dataflow::MemoryUser::kHost:
      return rule::User::kHost;
    case dataflow::MemoryUser::kDeviceRelease:
      return rule::User::kDeviceRelease;
    case dataflow::MemoryUser::kHostRelease:
      return rule::User::kHostRelease;
    case dataflow::MemoryUser::kPinnedRelease:
      return rule::User::kPinnedRelease;
  }
  return rule::User::kDevice;
}

std::string use_text(const dataflow::MemoryUseEvent& event) {
  const std::string& name = event.operation;
  switch (event.user) {
    case dataflow::MemoryUser::kDevice:
      if (name == "launch" || name.empty()) return "the kernel uses it on the device";
      return name + " uses it on the device";
    case dataflow::MemoryUser::kHost:
      return name.empty() ? "the host accesses it here" : name + " accesses it on the host";
    case dataflow::MemoryUser::kDeviceRelease:
    case dataflow::MemoryUser::kPinnedRelease:
      return name + " frees what another allocator made";
    case dataflow::MemoryUser::kHostRelease:
      return (name == "release" ? "delete" : name) + " frees what another allocator made";
  }
  return "";
}

std::string fix_text(const dataflow::MemoryUseEvent& event, const dataflow::View& view) {
  bool on_device = event.memory.place.is_accelerator();
  dataflow::OriginId origin = event.memory.origin;
  bool is_of_tensor = origin != 0 && view.origins[origin].kind != dataflow::OriginKind::kAllocated;
  switch (event.user) {
    case dataflow::MemoryUser::kDevice:
      if (is_of_tensor) return "move the tensor to the device first";
      return "copy it to memory from cudaMalloc first, or allocate it with cudaMallocManaged";
    case dataflow::MemoryUser::kHost:
      if (is_of_tensor) return "read the tensor through cpu(), or item() where it is one number";
      return "copy it to the host with cudaMemcpy first";
    default:
      break;
  }
  if (on_device) return "use cudaFree";
  return event.memory.is_pinned ? "use cudaFreeHost" : "use free, or delete, as it was allocated";
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* use = std::get_if<dataflow::MemoryUseEvent>(&event);
  if (!use) return;
  rule::Memory memory{fact_of(use->memory.place), use->memory.is_pinned};
  rule::User user = user_of(*use);
  if (rule::judge(user, memory) != rules::Verdict::kBroken) return;
  if (is_of_other_compilation(use->memory, use->site, view)) return;
  std::string subject = memory_text(use->memory, use->site, "the pointer", view, reporter);
  findings::Finding finding =
      reporter.start(rule::kRule, use->site, subject + ", but " + use_text(*use));
  add_memory_note(finding, use->memory, use->site, view, reporter);
  finding.predicted_error = rule::message(user);
  finding.fix = fix_text(*use, view);
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kCudaPointerPlacement{&rules::cuda_pointer_placement::kRule, on_event, nullptr};

}  // namespace placecheck::checks
