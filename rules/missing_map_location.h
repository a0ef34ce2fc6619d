// missing-map-location: a checkpoint is loaded without a device, onto another device than the one
// it is used on. Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_MISSING_MAP_LOCATION_H_
#define PLACECHECK_RULES_MISSING_MAP_LOCATION_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "rules/device_mismatch.h"
#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::missing_map_location {

inline constexpr Rule kRule{
    .id = "missing-map-location",
    .summary =
        "a checkpoint is loaded without a device, onto another device than the one it is used on",
    .category = Category::kCheckpoint,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error =
        "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. "
        "If you are running on a CPU-only machine, please use torch.load with "
        "map_location=torch.device('cpu') to map your storages to the CPU.",
};

// What is loaded without a device goes where it was saved from: `file`. libtorch moves a module
// there even if it had been moved to `moved_to` before.
struct LoadFact {
  Trait mapped = Trait::kUnknown;  // a device was given
  DeviceFact file;
  DeviceFact moved_to;
  DeviceFact used;  // where it is used next
};

// Of a file that nothing is known of it is certain that a module is no longer where the program had
// put it, unless the file happens to come from there.
constexpr Verdict judge(LoadFact load) {
  if (load.mapped != Trait::kNo)
    return load.mapped == Trait::kYes ? Verdict::kHolds : Verdict::kUnknown;
  if (load.file.is_known()) return same_place(load.file, load.used);
  const bool undone = load.moved_to.is_accelerator() && load.moved_to == load.used;
  return undone ? Verdict::kBroken : Verdict::kUnknown;
}

// PyTorch's, where there is no CUDA device at all; libtorch has no such text.
inline std::string message() { return std::string(kRule.predicted_error); }

// torch.load of what was saved from a device that is not there (torch/serialization.py).
inline std::string absent_device_message(int64_t index, int64_t devices) {
  if (devices == 0) return message();
  return "Attempting to deserialize object on CUDA device " + std::to_string(index) +
         " but torch.cuda.device_count() is " + std::to_string(devices) +
         ". Please use torch.load with map_location to map your storages to an existing device.";
}

// Where what was loaded meets what is on the other device.
inline std::string use_message(std::string_view used, std::string_view file) {
  const bool used_first = file == "cpu";  // the accelerator is named first
  return used_first ? device_mismatch::message(used, file) : device_mismatch::message(file, used);
}

}  // namespace placecheck::rules::missing_map_location

#endif  // PLACECHECK_RULES_MISSING_MAP_LOCATION_H_
