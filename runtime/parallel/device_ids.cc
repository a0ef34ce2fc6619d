#include "runtime/parallel/device_ids.h"

#include <numeric>

#include "runtime/backend/cuda_api.h"
#include "runtime/core/check.h"

namespace placecheck::runtime::nn {

DeviceIndex DeviceId::resolved() const {
  if (!device_) return index_;
  check<ValueError>(device_->is_cuda(), "Expected a non cpu device, but got: ", *device_);
  return device_->has_index() ? index_ : cuda::current_device();
}

std::vector<DeviceIndex> DeviceIds::resolved() const {
  if (ids_) {
    check<IndexError>(!ids_->empty(), "list index out of range");
    std::vector<DeviceIndex> given;
    for (const DeviceId& id : *ids_) given.push_back(id.resolved());
    return given;
  }
  std::vector<DeviceIndex> all(cuda::device_count());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace placecheck::runtime::nn
