#include "runtime/parallel/balance.h"

#include <string>
#include <vector>

#include "runtime/backend/cuda_api.h"
#include "runtime/core/check.h"
#include "runtime/core/warning.h"
#include "runtime/parallel/common/balance.h"

namespace placecheck::runtime::nn {

void check_balance(const comm::DeviceList& devices) {
  auto count = static_cast<DeviceIndex>(cuda::device_count());
  std::vector<parallel::GpuSize> gpus;
  for (DeviceIndex device : devices) {
    if (device < 0 || device >= count) refuse_device(device, "Invalid device id");
    DeviceProperties properties = cuda::get_device_properties(device);
    gpus.push_back({device, properties.total_memory, properties.multi_processor_count});
  }
  const std::string warning = parallel::imbalance_warning(gpus);
  if (!warning.empty()) warn(warning);
}

}  // namespace placecheck::runtime::nn
