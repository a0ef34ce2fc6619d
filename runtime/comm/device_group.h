// DeviceGroup: the devices of one process, among which one thread moves tensors: what data
// parallelism replicates and reduces with. (A Communicator is one rank's end, a thread for each.)
//
// Which group serves a list of devices: that of the machine's own library (NCCL), where the devices
// are CUDA's, there are several, and none is named twice; else one that copies and adds.
//
// Ownership: groups live to the end of the process, or of the ScopedDeviceGroups that made them.
// Threads: any; work is enqueued on the calling thread's streams. Errors: core::Error.
#ifndef PLACECHECK_RUNTIME_COMM_DEVICE_GROUP_H_
#define PLACECHECK_RUNTIME_COMM_DEVICE_GROUP_H_

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::comm {

using DeviceList = std::vector<DeviceIndex>;

// Its operations take one tensor for each device, in the order of the devices; all of one type, of
// one number of elements, and dense. They stay outside of the graph.
class DeviceGroup {
 public:
  virtual ~DeviceGroup() = default;

  virtual std::string_view name() const = 0;
  // All get the values of tensors[root].
  virtual void broadcast(const TensorList& tensors, std::size_t root) = 0;
  // The sum, a new tensor where tensors[root] is, with its sizes.
  virtual Tensor reduce(const TensorList& tensors, std::size_t root) = 0;
};

// Copies, and adds in the order of the list, so that runs repeat bit by bit: ((t0 + t1) + t2) +
// ..., but the root's comes first. Any devices, also one several times.
std::unique_ptr<DeviceGroup> make_copying_group(const DeviceList& devices);

class GroupCache;
using GroupMaker = std::unique_ptr<DeviceGroup> (*)(const DeviceList& devices);

// The maker of groups over distinct CUDA devices; null where the program was linked without NCCL.
// Defined by //runtime/comm/nccl:groups and by //runtime/comm:copying_only; a program links one.
extern const GroupMaker kCudaGroups;

// The group that serves these devices, made at its first use.
DeviceGroup& group_of(const DeviceList& devices);

// Another maker, in place of kCudaGroups and on any backend, for a scope: for tests, and for
// programs that bring their own library. One at a time.
class ScopedDeviceGroups {
 public:
  explicit ScopedDeviceGroups(GroupMaker maker);
  ~ScopedDeviceGroups();
  ScopedDeviceGroups(const ScopedDeviceGroups&) = delete;
  ScopedDeviceGroups& operator=(const ScopedDeviceGroups&) = delete;

 private:
  std::unique_ptr<GroupCache> cache_;
  GroupCache* previous_;
};

// Wraps a group in what checks its calls. Null where checks are off. Defined by //runtime/checks:on
// and by //runtime/checks:off.
using GroupChecks = std::unique_ptr<DeviceGroup> (*)(std::unique_ptr<DeviceGroup> group,
                                                     const DeviceList& devices);
extern const GroupChecks kGroupChecks;

}  // namespace placecheck::runtime::comm

#endif  // PLACECHECK_RUNTIME_COMM_DEVICE_GROUP_H_
