// Which devices data parallelism runs on: numbers, names or devices; none means all that are
// visible. Small values. Errors: core::ValueError and its like, with PyTorch's texts.
#ifndef PLACECHECK_RUNTIME_PARALLEL_DEVICE_IDS_H_
#define PLACECHECK_RUNTIME_PARALLEL_DEVICE_IDS_H_

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/device.h"

namespace placecheck::runtime::nn {

// A device by number or by name.
class DeviceId {
 public:
  DeviceId(int index) : index_(index) {}
  DeviceId(const Device& device) : index_(device.index()), device_(device) {}
  DeviceId(const char* name) : DeviceId(Device(name)) {}
  DeviceId(const std::string& name) : DeviceId(Device(name)) {}

  // A number as it was given, be it of a device or not; a CUDA device without an index is the
  // current one, now. Throws for the CPU.
  DeviceIndex resolved() const;

 private:
  DeviceIndex index_;
  std::optional<Device> device_;
};

class DeviceIds {
 public:
  DeviceIds() = default;
  DeviceIds(std::initializer_list<DeviceId> ids) : DeviceIds(std::vector<DeviceId>(ids)) {}
  // A vector that is empty names no device, which is an error where there are some.
  DeviceIds(const std::vector<DeviceId>& ids) : ids_(ids) {}
  DeviceIds(const std::vector<int>& ids) : ids_(std::in_place, ids.begin(), ids.end()) {}

  bool are_given() const { return ids_.has_value(); }
  // The devices, all visible ones if none are given. Throws for an empty list.
  std::vector<DeviceIndex> resolved() const;

 private:
  std::optional<std::vector<DeviceId>> ids_;
};

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_PARALLEL_DEVICE_IDS_H_
