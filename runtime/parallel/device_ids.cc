#include "runtime/parallel/device_ids.h"

#include <numeric>

#include "runtime/backend/cuda_api.h"
#include "runtime/core/check.h"

namespace placecheck::runtime::nn {

DeviceId::DeviceId(const Device& device)
    : index_(device.has_index() ? device.index() : cuda::current_device()) {
  check<ValueError>(device.is_cuda(), "Expected a non cpu device, but got: ", device);
}

DeviceIds::DeviceIds(const std::vector<DeviceId>& ids) : ids_(std::in_place) {
  for (const DeviceId& id : ids) ids_->push_back(id.index());
}

DeviceIds::DeviceIds(const std::vector<int>& ids) : ids_(std::in_place, ids.begin(), ids.end()) {}

std::vector<DeviceIndex> DeviceIds::resolved() const {
  if (ids_) {
    check<IndexError>(!ids_->empty(), "list index out of range");
    return *ids_;
  }
  std::vector<DeviceIndex> all(cuda::device_count());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace placecheck::runtime::nn
