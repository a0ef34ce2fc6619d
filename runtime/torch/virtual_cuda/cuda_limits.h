// What CUDA's kernel of an operator refuses and the CPU's does: types, operators that CUDA lacks,
// results that differ between runs where deterministic ones are asked for, values of operands that
// are out of range.
//
// The texts are those of ATen/native/cuda, read from the strings of libtorch_cuda 2.6 and 2.15.
// Thread-safe; the tables are constants.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_CUDA_LIMITS_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_CUDA_LIMITS_H_

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <c10/util/Exception.h>

namespace placecheck::virtual_cuda {

class CudaLimits {
 public:
  using Check = void (*)(const c10::OperatorHandle& op, at::ArrayRef<c10::IValue> arguments);

  explicit CudaLimits(const c10::OperatorHandle& op);

  // Throws what the CUDA kernel would before it computes.
  void check(const c10::OperatorHandle& op, at::ArrayRef<c10::IValue> arguments) const {
    if (check_ != nullptr) [[unlikely]] {
      check_(op, arguments);
    }
  }

  // Throws the failed assertion of the CUDA kernel in place of what the CPU kernel threw, where its
  // kernel asserts what the CPU's checks.
  void rethrow_as_assertion(const c10::OperatorHandle& op, const c10::Error& error) const;

 private:
  Check check_ = nullptr;
  const char* assertion_ = nullptr;  // the CPU's text of what the kernel asserts; null: nothing
};

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_CUDA_LIMITS_H_
