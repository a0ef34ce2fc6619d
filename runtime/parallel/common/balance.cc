#include "runtime/parallel/common/balance.h"

#include <algorithm>

namespace placecheck::parallel {
namespace {

constexpr double kLeastShare = 0.75;

std::string warning_by(const std::vector<GpuSize>& gpus, std::int64_t GpuSize::* amount) {
  const auto [least, most] = std::minmax_element(
      gpus.begin(), gpus.end(),
      [&](const GpuSize& a, const GpuSize& b) { return a.*amount < b.*amount; });
  const auto whole = static_cast<double>((*most).*amount);
  if (static_cast<double>((*least).*amount) / whole >= kLeastShare) return "";
  return "\n    There is an imbalance between your GPUs. You may want to exclude GPU " +
         std::to_string(least->device) +
         " which\n    has less than 75% of the memory or cores of GPU " +
         std::to_string(most->device) +
         ". You can do so by setting\n    the device_ids argument to DataParallel, or by setting "
         "the CUDA_VISIBLE_DEVICES\n    environment variable.";
}

}  // namespace

std::string imbalance_warning(const std::vector<GpuSize>& gpus) {
  const std::string of_memory = warning_by(gpus, &GpuSize::memory);
  return of_memory.empty() ? warning_by(gpus, &GpuSize::processors) : of_memory;
}

}  // namespace placecheck::parallel
