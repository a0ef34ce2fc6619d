// The tensors of one operator call as a CPU kernel may see them: for each device tensor a CPU
// tensor with the same memory, and for what the kernel returns, device tensors again. Tensors that
// share a storage, or are one tensor, still do so on the other side.
//
// Use: to_host() for each argument, the kernel, write_back(), then to_device() for each result.
// Ownership: holds the arguments while it lives; the CPU tensors must not outlive it. Threads: one.
// Errors: c10::Error for quantized and other tensors that have neither plain memory nor parts that
// have (sparse_view.h).
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_HOST_VIEW_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_HOST_VIEW_H_

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Storage.h>
#include <c10/util/SmallVector.h>

namespace placecheck::virtual_cuda {

class HostView {
 public:
  // Tensors of other devices are passed on as they are.
  at::Tensor to_host(const at::Tensor& tensor);

  // Gives the arguments what the kernel did to their shapes and storages.
  void write_back();

  // The argument that `result` stands for, a view of an argument's storage, or, for new memory, a
  // tensor on `device`. Other than CPU tensors are returned as they are.
  at::Tensor to_device(at::Tensor&& result, c10::Device device);

 private:
  struct TensorPair {
    at::Tensor argument;
    at::Tensor host;  // the argument itself where it is of the host
  };
  struct StoragePair {
    c10::Storage device;
    const c10::StorageImpl* host;
    c10::Storage host_owner;
    const void* memory;  // of `host` as it was made
  };

  const StoragePair& host_storage_of(const c10::Storage& device);
  c10::Storage device_storage_of(c10::Storage&& host, c10::Device device);
  at::Tensor sparse_to_host(const at::Tensor& tensor);
  at::Tensor sparse_to_device(const at::Tensor& result, c10::Device device);
  void write_back_sparse(const TensorPair& pair);
  void write_back_storage(const TensorPair& pair);

  c10::SmallVector<TensorPair, 6> tensors_;
  c10::SmallVector<StoragePair, 6> storages_;
};

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_HOST_VIEW_H_
