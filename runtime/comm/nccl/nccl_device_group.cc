// Devices of one process over NCCL, driven by one thread: every operation is one NCCL group,
// enqueued on the devices' current streams, so that it needs no other order than theirs. A sum's
// order is NCCL's: it repeats on one machine.
#include <cuda_runtime_api.h>
#include <nccl.h>

#include <mutex>

#include "runtime/backend/devices.h"
#include "runtime/comm/device_group.h"
#include "runtime/comm/nccl/nccl_calls.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"

namespace placecheck::runtime::comm {
namespace {

class NcclDeviceGroup : public DeviceGroup {
 public:
  explicit NcclDeviceGroup(const DeviceList& devices)
      : devices_(devices), comms_(make_nccl_comms(devices)) {}
  ~NcclDeviceGroup() override {
    for (ncclComm_t comm : comms_) ncclCommDestroy(comm);
  }
  NcclDeviceGroup(const NcclDeviceGroup&) = delete;
  NcclDeviceGroup& operator=(const NcclDeviceGroup&) = delete;

  std::string_view name() const override { return "nccl"; }

  void broadcast(const TensorList& tensors, std::size_t root) override {
    for_each_device([&](std::size_t i, cudaStream_t stream) {
      void* data = tensors[i].data_ptr();
      return ncclBroadcast(data, data, count_of(tensors[i]), nccl_type_of(tensors[i]),
                           static_cast<int>(root), comms_[i], stream);
    });
  }

  Tensor reduce(const TensorList& tensors, std::size_t root) override {
    Tensor total = empty_like(tensors[root]);
    for_each_device([&](std::size_t i, cudaStream_t stream) {
      return ncclReduce(tensors[i].data_ptr(), total.data_ptr(), count_of(tensors[i]),
                        nccl_type_of(tensors[i]), ncclSum, static_cast<int>(root), comms_[i],
                        stream);
    });
    return total;
  }

 private:
  static std::size_t count_of(const Tensor& tensor) {
    return static_cast<std::size_t>(tensor.numel());
  }

  // Inside a group, no call waits for the others; a group that was begun is ended, whatever
  // happens.
  template <typename Call>
  void for_each_device(const Call& call) {
    std::lock_guard lock(mutex_);
    check_nccl(ncclGroupStart());
    ncclResult_t result = ncclSuccess;
    for (std::size_t i = 0; i < comms_.size() && result == ncclSuccess; ++i) {
      void* stream = cuda_backend().native_handle(current_stream(devices_[i]));
      result = call(i, static_cast<cudaStream_t>(stream));
    }
    ncclResult_t ended = ncclGroupEnd();
    check_nccl(result);
    check_nccl(ended);
  }

  DeviceList devices_;
  std::vector<ncclComm_t> comms_;
  std::mutex mutex_;
};

std::unique_ptr<DeviceGroup> make_nccl_device_group(const DeviceList& devices) {
  return std::make_unique<NcclDeviceGroup>(devices);
}

}  // namespace

const GroupMaker kCudaGroups = &make_nccl_device_group;

}  // namespace placecheck::runtime::comm
