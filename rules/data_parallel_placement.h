// data-parallel-placement: at forward, a data-parallel module is not on its first device.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_DATA_PARALLEL_PLACEMENT_H_
#define PLACECHECK_RULES_DATA_PARALLEL_PLACEMENT_H_

#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::data_parallel_placement {

inline constexpr Rule kRule{
    .id = "data-parallel-placement",
    .summary = "a data-parallel module's parameters or buffers are not on device_ids[0]",
    .category = Category::kDataParallel,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error =
        "module must have its parameters and buffers on device {} (device_ids[0]) "
        "but found one of them on device: {}",
};

// One parameter or buffer against device_ids[0]. Inputs are scattered and may be anywhere; a
// wrapper over one device moves the module when it is built, which is the caller's to model.
constexpr Verdict judge(DeviceFact state, DeviceFact first_device) {
  return same_place(state, first_device);
}

// All parameters and buffers; a module without state holds. A range rather than a span: programs in
// C++17 include this header with the runtime's.
template <typename Facts>
constexpr Verdict judge(const Facts& state, DeviceFact first_device) {
  Verdict verdict = Verdict::kHolds;
  for (DeviceFact device : state) verdict = all_of(verdict, judge(device, first_device));
  return verdict;
}

inline std::string message(std::string_view first_device, std::string_view found_device) {
  return "module must have its parameters and buffers on device " + std::string(first_device) +
         " (device_ids[0]) but found one of them on device: " + std::string(found_device);
}

}  // namespace placecheck::rules::data_parallel_placement

#endif  // PLACECHECK_RULES_DATA_PARALLEL_PLACEMENT_H_
