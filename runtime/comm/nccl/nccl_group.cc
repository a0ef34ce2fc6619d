#include "runtime/comm/nccl/nccl_group.h"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <mutex>
#include <optional>
#include <thread>

#include "runtime/backend/cuda_api.h"
#include "runtime/comm/nccl/nccl_calls.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"

namespace placecheck::runtime::comm {
namespace {

void check_cuda(cudaError_t status) {
  if (status != cudaSuccess) throw Error(cuda_error_text(cudaGetErrorString(status)));
}

// Why a group's ranks have stopped working together; the first reason stays.
class Ending {
 public:
  void set(const std::string& reason) {
    std::lock_guard lock(mutex_);
    if (!reason_) reason_ = reason;
  }
  bool is_set() const {
    std::lock_guard lock(mutex_);
    return reason_.has_value();
  }
  void check_not_set() const {
    std::lock_guard lock(mutex_);
    if (reason_) throw CommunicationError(*reason_);
  }

 private:
  mutable std::mutex mutex_;
  std::optional<std::string> reason_;
};

// NCCL's communicator is touched by its rank's thread only: a peer's abort is seen while waiting.
class NcclCommunicator : public Communicator {
 public:
  NcclCommunicator(ncclComm_t comm, int rank, int size, DeviceIndex device,
                   std::chrono::milliseconds deadline, std::shared_ptr<Ending> ending)
      : comm_(comm),
        rank_(rank),
        size_(size),
        device_(device),
        deadline_(deadline),
        ending_(std::move(ending)) {
    check_cuda(cudaSetDevice(device));
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~NcclCommunicator() override {
    if (ending_->is_set()) {
      ncclCommAbort(comm_);
    } else {
      ncclCommDestroy(comm_);
    }
    cudaStreamDestroy(stream_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void all_reduce(const Tensor& tensor) override {
    run(tensor, [&](void* data, std::size_t count) {
      return ncclAllReduce(data, data, count, nccl_type_of(tensor), ncclSum, comm_, stream_);
    });
  }
  void broadcast(const Tensor& tensor, int root) override {
    run(tensor, [&](void* data, std::size_t count) {
      return ncclBroadcast(data, data, count, nccl_type_of(tensor), root, comm_, stream_);
    });
  }
  void reduce(const Tensor& tensor, int root) override {
    run(tensor, [&](void* data, std::size_t count) {
      return ncclReduce(data, data, count, nccl_type_of(tensor), ncclSum, root, comm_, stream_);
    });
  }
  TensorList all_gather(const Tensor& tensor) override {
    Tensor all = empty({size_, tensor.numel()}, tensor.options());
    run(tensor, [&](void* data, std::size_t count) {
      return ncclAllGather(data, all.data_ptr(), count, nccl_type_of(tensor), comm_, stream_);
    });
    TensorList result;
    for (int rank = 0; rank < size_; ++rank) {
      result.push_back(all[rank].reshape(tensor.sizes()).clone());
    }
    return result;
  }
  void barrier() override { all_reduce(zeros({1}, Device(kCUDA, device_))); }

  void abort(const std::string& reason) override { ending_->set(reason); }

 private:
  template <typename Call>
  void run(const Tensor& tensor, const Call& call) {
    ending_->check_not_set();
    check(tensor.device() == Device(kCUDA, device_) && tensor.is_contiguous(),
          "input and output elements have to be cuda dense Tensors");
    cuda::current_stream(device_).synchronize();
    check_cuda(cudaSetDevice(device_));
    check_nccl(call(tensor.data_ptr(), static_cast<std::size_t>(tensor.numel())));
    wait();
  }

  void wait() {
    auto end = std::chrono::steady_clock::now() + deadline_;
    while (true) {
      cudaError_t status = cudaStreamQuery(stream_);
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) check_cuda(status);
      ncclResult_t result = ncclSuccess;
      check_nccl(ncclCommGetAsyncError(comm_, &result));
      if (result != ncclInProgress) check_nccl(result);
      if (std::chrono::steady_clock::now() > end) {
        abort(text_of("a peer of rank ", rank_, " did not come within ", deadline_.count(), " ms"));
      }
      ending_->check_not_set();
      std::this_thread::yield();
    }
  }

  ncclComm_t comm_;
  int rank_;
  int size_;
  DeviceIndex device_;
  std::chrono::milliseconds deadline_;
  cudaStream_t stream_ = nullptr;
  std::shared_ptr<Ending> ending_;
};

}  // namespace

Ranks make_nccl_group(const std::vector<DeviceIndex>& devices, std::chrono::milliseconds deadline) {
  std::vector<ncclComm_t> comms = make_nccl_comms(devices);
  auto size = static_cast<int>(devices.size());
  auto ending = std::make_shared<Ending>();
  Ranks ranks;
  std::vector<Device> places;
  for (int rank = 0; rank < size; ++rank) {
    auto at = static_cast<std::size_t>(rank);
    ranks.push_back(
        std::make_unique<NcclCommunicator>(comms[at], rank, size, devices[at], deadline, ending));
    places.emplace_back(kCUDA, devices[at]);
  }
  return checked_ranks(std::move(ranks), places, deadline);
}

}  // namespace placecheck::runtime::comm
