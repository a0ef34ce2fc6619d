// cuda-pointer-placement: memory of the host is given to code on a device, or the other way round.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_CUDA_POINTER_PLACEMENT_H_
#define PLACECHECK_RULES_CUDA_POINTER_PLACEMENT_H_

#include <cstdint>
#include <string>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::cuda_pointer_placement {

inline constexpr Rule kRule{
    .id = "cuda-pointer-placement",
    .summary = "memory of the host is used on a device, or memory of a device on the host",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error = "CUDA error: an illegal memory access was encountered",
};

enum class User : std::uint8_t {
  kDevice,         // a kernel, or a library that runs on the device
  kHost,           // the program itself
  kDeviceRelease,  // cudaFree
  kHostRelease,    // free, delete
  kPinnedRelease,  // cudaFreeHost
};

// Where memory is: unknown also for managed memory, which everybody reaches.
struct Memory {
  DeviceFact place;
  bool is_pinned = false;
};

constexpr Verdict judge(User user, Memory memory) {
  if (!memory.place.is_known()) return Verdict::kUnknown;
  const bool on_device = memory.place.is_accelerator();
  bool fits = false;
  switch (user) {
    case User::kDevice:
      fits = on_device || memory.is_pinned;
      break;
    case User::kHost:
      fits = !on_device;
      break;
    case User::kDeviceRelease:
      fits = on_device;
      break;
    case User::kHostRelease:
      fits = !on_device && !memory.is_pinned;
      break;
    case User::kPinnedRelease:
      fits = memory.is_pinned;
      break;
  }
  return fits ? Verdict::kHolds : Verdict::kBroken;
}

inline std::string message(User user) {
  switch (user) {
    case User::kDevice:
      return "CUDA error: an illegal memory access was encountered";
    case User::kHost:
      return "Segmentation fault";
    case User::kDeviceRelease:
    case User::kPinnedRelease:
      return "CUDA error: invalid argument";
    case User::kHostRelease:
      return "free(): invalid pointer";
  }
  return "";
}

}  // namespace placecheck::rules::cuda_pointer_placement

#endif  // PLACECHECK_RULES_CUDA_POINTER_PLACEMENT_H_
