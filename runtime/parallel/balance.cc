#include "runtime/parallel/balance.h"

#include <algorithm>

#include "runtime/backend/cuda_api.h"
#include "runtime/core/check.h"
#include "runtime/core/warning.h"

namespace placecheck::runtime::nn {
namespace {

// Whether it warned.
bool warn_of_imbalance(const comm::DeviceList& devices, const std::vector<std::int64_t>& amounts) {
  auto least = std::min_element(amounts.begin(), amounts.end());
  auto most = std::max_element(amounts.begin(), amounts.end());
  if (static_cast<double>(*least) / static_cast<double>(*most) >= 0.75) return false;
  warn(text_of("\n    There is an imbalance between your GPUs. You may want to exclude GPU ",
               devices[static_cast<std::size_t>(least - amounts.begin())],
               " which\n    has less than 75% of the memory or cores of GPU ",
               devices[static_cast<std::size_t>(most - amounts.begin())],
               ". You can do so by setting\n    the device_ids argument to DataParallel, or by "
               "setting the CUDA_VISIBLE_DEVICES\n    environment variable."));
  return true;
}

}  // namespace

void check_balance(const comm::DeviceList& devices) {
  auto count = static_cast<DeviceIndex>(cuda::device_count());
  std::vector<std::int64_t> memory;
  std::vector<std::int64_t> processors;
  for (DeviceIndex device : devices) {
    if (device < 0 || device >= count) refuse_device(device, "Invalid device id");
    DeviceProperties properties = cuda::get_device_properties(device);
    memory.push_back(properties.total_memory);
    processors.push_back(properties.multi_processor_count);
  }
  if (!warn_of_imbalance(devices, memory)) warn_of_imbalance(devices, processors);
}

}  // namespace placecheck::runtime::nn
