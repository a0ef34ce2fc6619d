// cuda-memcpy-kind: a copy whose direction contradicts its pointers.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_CUDA_MEMCPY_KIND_H_
#define PLACECHECK_RULES_CUDA_MEMCPY_KIND_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::cuda_memcpy_kind {

inline constexpr Rule kRule{
    .id = "cuda-memcpy-kind",
    .summary = "a copy whose direction contradicts its pointers",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error = "CUDA error: invalid argument",
};

// The numbers of cudaMemcpyKind.
enum class Direction : std::uint8_t {
  kHostToHost = 0,
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 3,
  kDefault = 4,  // as the pointers say
};

constexpr bool reads_device(Direction direction) {
  return direction == Direction::kDeviceToHost || direction == Direction::kDeviceToDevice;
}
constexpr bool writes_device(Direction direction) {
  return direction == Direction::kHostToDevice || direction == Direction::kDeviceToDevice;
}

// One end of the copy. Memory that both sides reach (managed, pinned) is to be given as unknown.
constexpr Verdict judge_end(DeviceFact memory, bool is_meant_on_device) {
  if (!memory.is_known()) return Verdict::kUnknown;
  return memory.is_accelerator() == is_meant_on_device ? Verdict::kHolds : Verdict::kBroken;
}

constexpr Verdict judge(DeviceFact to, DeviceFact from, Direction direction) {
  if (direction == Direction::kDefault) return Verdict::kHolds;
  return all_of(judge_end(to, writes_device(direction)), judge_end(from, reads_device(direction)));
}

// One end of a copy between devices, which names the device of each pointer. Other memory is what
// judge_end is for.
constexpr Verdict judge_owner(DeviceFact memory, DeviceFact named) {
  return memory.is_accelerator() ? same_place(memory, named) : Verdict::kUnknown;
}

// The direction that fits; empty if that is not known.
constexpr std::string_view fitting(DeviceFact to, DeviceFact from) {
  if (!to.is_known() || !from.is_known()) return "";
  if (to.is_accelerator())
    return from.is_accelerator() ? "cudaMemcpyDeviceToDevice" : "cudaMemcpyHostToDevice";
  return from.is_accelerator() ? "cudaMemcpyDeviceToHost" : "cudaMemcpyHostToHost";
}

constexpr std::string_view name(Direction direction) {
  switch (direction) {
    case Direction::kHostToHost:
      return "cudaMemcpyHostToHost";
    case Direction::kHostToDevice:
      return "cudaMemcpyHostToDevice";
    case Direction::kDeviceToHost:
      return "cudaMemcpyDeviceToHost";
    case Direction::kDeviceToDevice:
      return "cudaMemcpyDeviceToDevice";
    case Direction::kDefault:
      return "cudaMemcpyDefault";
  }
  return "cudaMemcpyDefault";
}

inline std::string message() { return "CUDA error: invalid argument"; }

}  // namespace placecheck::rules::cuda_memcpy_kind

#endif  // PLACECHECK_RULES_CUDA_MEMCPY_KIND_H_
