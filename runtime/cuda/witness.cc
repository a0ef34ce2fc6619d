#include "runtime/cuda/witness.h"

#include <cstdlib>
#include <iostream>

#include "rules/cuda_current_device.h"
#include "rules/invalid_device.h"
#include "runtime/core/report.h"
#include "runtime/core/stack.h"
#include "runtime/cuda/devices.h"
#include "runtime/cuda/memory.h"

namespace placecheck::cuda {
namespace {

namespace copies = rules::cuda_memcpy_kind;
namespace current = rules::cuda_current_device;
namespace placement = rules::cuda_pointer_placement;
using rules::DeviceFact;
using rules::Verdict;

core::Report& the_report() {
  static auto* report = new core::Report(std::getenv(kReportVariable));
  return *report;
}

thread_local const void* hidden_frame = nullptr;

DeviceFact fact_of_device(int device) {
  return DeviceFact::cuda(static_cast<std::uint32_t>(device));
}

std::string text_of(const Memory& memory) {
  switch (memory.kind) {
    case MemoryKind::kHost:
      return "memory of the host";
    case MemoryKind::kDevice:
      return "memory of cuda:" + std::to_string(memory.device);
    case MemoryKind::kPinned:
      return "pinned memory";
    case MemoryKind::kManaged:
      return "managed memory";
    case MemoryKind::kNowhere:
      return "no memory";
  }
  return "memory";
}

std::string device_text(int device) { return "cuda:" + std::to_string(device); }

// Both sides reach pinned memory, so that it fits any direction.
DeviceFact fact_of_end(const Memory& memory) {
  const placement::Memory fact = fact_of(memory);
  return fact.is_pinned ? DeviceFact::unknown() : fact.place;
}

}  // namespace

rules::cuda_pointer_placement::Memory fact_of(const Memory& memory) {
  using rules::DeviceFact;
  switch (memory.kind) {
    case MemoryKind::kHost:
      return {.place = DeviceFact::cpu()};
    case MemoryKind::kPinned:
      return {.place = DeviceFact::cpu(), .is_pinned = true};
    case MemoryKind::kDevice:
      return {.place = DeviceFact::cuda(static_cast<std::uint32_t>(memory.device))};
    case MemoryKind::kManaged:
    case MemoryKind::kNowhere:
      break;
  }
  return {};
}

bool is_reporting() { return the_report().is_on(); }

bool fail_at(const std::string& stack, const rules::Rule& rule, std::string_view operation,
             const std::string& message) {
  const std::string text = std::string(operation) + ": " + message;
  if (is_reporting()) {
    the_report().add(rule.id, text, stack);
    return true;
  }
  std::cerr << "placecheck: " << text << " [" << rule.id << "]\n";
  return false;
}

bool fail(const rules::Rule& rule, std::string_view operation, const std::string& message) {
  return fail_at(is_reporting() ? core::stack_text(hidden_frame) : "", rule, operation, message);
}

bool judge_use(const void* pointer, int device, std::string_view operation) {
  if (pointer == nullptr) return true;
  const Memory memory = memory_at(pointer);
  const placement::Memory fact = fact_of(memory);
  if (placement::judge(placement::User::kDevice, fact) == Verdict::kBroken) {
    return fail(placement::kRule, operation,
                placement::message(placement::User::kDevice) + " (" + text_of(memory) +
                    " is used on " + device_text(device) + ")");
  }
  const bool shared = reaches(device, memory.device);
  if (current::judge_memory(fact.place, fact_of_device(device), shared) != Verdict::kBroken) {
    return true;
  }
  return fail(current::kRule, operation,
              current::memory_message() + " (" + text_of(memory) + ", " + device_text(device) +
                  " is current)");
}

bool judge_use_by_host(const void* pointer, std::string_view operation) {
  if (pointer == nullptr) return true;
  const Memory memory = memory_at(pointer);
  if (placement::judge(placement::User::kHost, fact_of(memory)) != Verdict::kBroken) return true;
  return fail(placement::kRule, operation, host_access_message(memory.device));
}

bool judge_copy(const void* to, const void* from, copies::Direction direction,
                std::string_view operation) {
  const Memory target = memory_at(to);
  const Memory source = memory_at(from);
  if (copies::judge(fact_of_end(target), fact_of_end(source), direction) != Verdict::kBroken) {
    return true;
  }
  return fail(copies::kRule, operation,
              copies::message() + " (" + std::string(copies::name(direction)) + " from " +
                  text_of(source) + " to " + text_of(target) + ")");
}

bool judge_copy_between(const void* to, int to_device, const void* from, int from_device,
                        std::string_view operation) {
  const Memory target = memory_at(to);
  const Memory source = memory_at(from);
  const Verdict verdict =
      rules::all_of(copies::judge_owner(fact_of_end(target), fact_of_device(to_device)),
                    copies::judge_owner(fact_of_end(source), fact_of_device(from_device)));
  if (verdict != Verdict::kBroken) return true;
  return fail(copies::kRule, operation,
              copies::message() + " (from " + device_text(from_device) + " to " +
                  device_text(to_device) + " was asked for, but the pointers lead from " +
                  text_of(source) + " to " + text_of(target) + ")");
}

bool judge_release(const void* pointer, placement::User user, std::string_view operation) {
  if (pointer == nullptr) return true;
  const Memory memory = memory_at(pointer);
  if (placement::judge(user, fact_of(memory)) != Verdict::kBroken) return true;
  return fail(placement::kRule, operation,
              placement::message(user) + " (it is " + text_of(memory) + ")");
}

bool judge_handle(std::string_view what, int made, int needed, std::string_view operation) {
  if (current::judge_handle(fact_of_device(made), fact_of_device(needed)) != Verdict::kBroken) {
    return true;
  }
  return fail(current::kRule, operation,
              current::handle_message(what) + " (the " + std::string(what) + " is of " +
                  device_text(made) + ", it is used for " + device_text(needed) + ")");
}

bool judge_index(int device, std::string_view operation) {
  namespace rule = rules::invalid_device;
  if (rule::judge_index(device, device_count()) != Verdict::kBroken) return true;
  return fail(rule::kRule, operation,
              rule::index_message() + " (" + std::to_string(device) + " of " +
                  std::to_string(device_count()) + " devices)");
}

bool is_broken_by_host_access(int device) {
  const placement::Memory fact{.place = fact_of_device(device)};
  return placement::judge(placement::User::kHost, fact) == Verdict::kBroken;
}

std::string host_access_message(int device) {
  return placement::message(placement::User::kHost) + " (memory of " + device_text(device) +
         " is accessed on the host)";
}

HiddenFrame::HiddenFrame(const void* return_address) { hidden_frame = return_address; }
HiddenFrame::~HiddenFrame() { hidden_frame = nullptr; }

}  // namespace placecheck::cuda
