// Runs an operator's CPU kernel on the memory of device tensors: the one way in which virtual
// devices compute. Schema-driven: tensors, lists of them, generators and devices among the
// arguments are replaced by what stands for them on the host.
//
// Thread-safe. Errors: RuleError where devices do not fit, c10::Error for what has no CPU kernel,
// and whatever the kernel throws.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_HOST_CALL_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_HOST_CALL_H_

#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/torch/virtual_cuda/cuda_limits.h"
#include "runtime/torch/virtual_cuda/placement.h"

namespace placecheck::virtual_cuda {

// The CUDA kernel of one operator: checks devices, then calls the CPU kernel.
class HostCall : public c10::OperatorKernel {
 public:
  // `finds_kernel`: the kernel is that of the host tensors' kind, not the CPU's for dense ones.
  explicit HostCall(const c10::OperatorHandle& op, bool finds_kernel = false);

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                  torch::jit::Stack* stack);

 private:
  void call_kernel(const c10::OperatorHandle& op, std::size_t count, c10::Device device,
                   torch::jit::Stack* stack);

  OperatorPlacement placement_;
  CudaLimits limits_;
  bool finds_kernel_;
  bool is_for_each_ = false;  // a list of tensors, each for itself
  bool is_slow_in_half_ = false;
  std::optional<std::size_t> generator_;            // the position of a Generator argument
  std::optional<std::size_t> device_;               // the position of a Device argument
  std::array<std::atomic<bool>, 2> is_in_float_{};  // for Half, BFloat16: no kernel of the CPU fits
};

// The same for operators that are first seen when they are called.
void call_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// The same for sparse tensors, whose kernel on the host is that of their layout.
void call_sparse_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_HOST_CALL_H_
