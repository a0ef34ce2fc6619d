#include "runtime/comm/device_group.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "runtime/autograd/grad_mode.h"
#include "runtime/backend/devices.h"
#include "runtime/tensor/functions.h"

namespace placecheck::runtime::comm {

// The groups of one maker; null for the default one, which depends on the backend.
class GroupCache {
 public:
  explicit GroupCache(GroupMaker maker = nullptr) : maker_(maker) {}

  DeviceGroup& group_of(const DeviceList& devices) {
    GroupMaker maker = maker_for(devices);
    std::lock_guard lock(mutex_);
    std::unique_ptr<DeviceGroup>& group = groups_[{maker, devices}];
    if (!group) group = checked(maker(devices), devices);
    return *group;
  }

 private:
  GroupMaker maker_for(const DeviceList& devices) const {
    GroupMaker own = maker_ != nullptr                 ? maker_
                     : cuda_backend().name() == "cuda" ? kCudaGroups
                                                       : nullptr;
    return own != nullptr && devices.size() > 1 && are_distinct(devices) ? own
                                                                         : &make_copying_group;
  }
  static bool are_distinct(DeviceList devices) {
    std::sort(devices.begin(), devices.end());
    return std::adjacent_find(devices.begin(), devices.end()) == devices.end();
  }
  static std::unique_ptr<DeviceGroup> checked(std::unique_ptr<DeviceGroup> group,
                                              const DeviceList& devices) {
    return kGroupChecks == nullptr ? std::move(group) : kGroupChecks(std::move(group), devices);
  }

  GroupMaker maker_;
  std::mutex mutex_;
  std::map<std::pair<GroupMaker, DeviceList>, std::unique_ptr<DeviceGroup>> groups_;
};

namespace {

std::atomic<GroupCache*> active_cache{nullptr};

GroupCache& default_cache() {
  static auto* const kCache = new GroupCache;
  return *kCache;
}

class CopyingGroup : public DeviceGroup {
 public:
  std::string_view name() const override { return "copying"; }

  void broadcast(const TensorList& tensors, std::size_t root) override {
    NoGradGuard no_grad;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (i != root) tensors[i].copy_(tensors[root]);
    }
  }

  Tensor reduce(const TensorList& tensors, std::size_t root) override {
    NoGradGuard no_grad;
    Device destination = tensors[root].device();
    Tensor total;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (i == root) continue;
      Tensor here = tensors[i].to(destination);
      total = total.defined() ? total.add_(here) : tensors[root].add(here);
    }
    return total.defined() ? total : tensors[root].clone();
  }
};

}  // namespace

std::unique_ptr<DeviceGroup> make_copying_group(const DeviceList&) {
  return std::make_unique<CopyingGroup>();
}

DeviceGroup& group_of(const DeviceList& devices) {
  GroupCache* active = active_cache.load(std::memory_order_acquire);
  return (active != nullptr ? *active : default_cache()).group_of(devices);
}

ScopedDeviceGroups::ScopedDeviceGroups(GroupMaker maker)
    : cache_(std::make_unique<GroupCache>(maker)),
      previous_(active_cache.exchange(cache_.get(), std::memory_order_acq_rel)) {}

ScopedDeviceGroups::~ScopedDeviceGroups() {
  active_cache.store(previous_, std::memory_order_release);
}

}  // namespace placecheck::runtime::comm
