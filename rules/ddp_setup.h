// ddp-setup: DistributedDataParallel is given devices that do not fit its module.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_DDP_SETUP_H_
#define PLACECHECK_RULES_DDP_SETUP_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::ddp_setup {

inline constexpr Rule kRule{
    .id = "ddp-setup",
    .summary = "a module is wrapped in DistributedDataParallel with devices that do not fit it",
    .category = Category::kDataParallel,
    .severity = Severity::kError,
    .languages = {.cpp = false, .cuda = false, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error =
        "DistributedDataParallel device_ids and output_device arguments only work with "
        "single-device/multiple-device GPU modules or CPU modules, but got device_ids {}, "
        "output_device {}, and module parameters {}.",
};

// A process drives one GPU.
constexpr Verdict judge_count(std::size_t device_ids) {
  return device_ids > 1 ? Verdict::kBroken : Verdict::kHolds;
}

// One parameter of a module that is wrapped with `device_ids`.
constexpr Verdict judge(DeviceFact parameter) {
  if (!parameter.is_known()) return Verdict::kUnknown;
  return parameter.is_cpu() ? Verdict::kBroken : Verdict::kHolds;
}

inline constexpr std::string_view kNoGroup =
    "Default process group has not been initialized, please make sure to call init_process_group.";

// ProcessGroupNCCL; releases since 2.1 say "No backend type associated with device type cpu".
inline constexpr std::string_view kHostTensor = "Tensors must be CUDA and dense";

inline std::string count_message() {
  return "device_ids can only be None or contain a single element.";
}

// `device_ids` as Python prints the list; other parameters of the module may be elsewhere.
inline std::string message(std::string_view device_ids, bool all_on_cpu) {
  if (!all_on_cpu) {
    return "DistributedDataParallel's input module must be on the same type of devices, but input "
           "module parameters locate in {'cpu', 'cuda'}.";
  }
  return "DistributedDataParallel device_ids and output_device arguments only work with "
         "single-device/multiple-device GPU modules or CPU modules, but got device_ids " +
         std::string(device_ids) +
         ", output_device None, and module parameters {device(type='cpu')}.";
}

}  // namespace placecheck::rules::ddp_setup

#endif  // PLACECHECK_RULES_DDP_SETUP_H_
