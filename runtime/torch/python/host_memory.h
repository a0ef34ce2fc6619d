// Device tensors as the host's: CPU tensors over the same memory, which keep the device tensor
// alive. They are for transport; nothing is recorded for autograd. Dense tensors only. Thread-safe.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_HOST_MEMORY_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_HOST_MEMORY_H_

#include <ATen/core/Tensor.h>

namespace placecheck::process_group {

// Of memory that is not written to: a lazy copy stays one.
const void* read_pointer(const at::Tensor& tensor);

// The elements of a tensor without gaps, in the order in which they lie.
at::Tensor memory_of(const at::Tensor& tensor);

// The same with the tensor's sizes and strides.
at::Tensor host_view(const at::Tensor& tensor);

// Complex numbers as pairs of real ones.
at::Tensor as_real(const at::Tensor& tensor);

// Memory that another rank fills for `tensor`, which may be strided; finish() brings it there.
class Landing {
 public:
  explicit Landing(const at::Tensor& tensor);

  const at::Tensor& memory() const { return memory_; }
  void finish() const;

 private:
  at::Tensor memory_;
  at::Tensor strided_;
};

// What a rank sends of `tensor`, which may be strided.
at::Tensor outgoing(const at::Tensor& tensor);

}  // namespace placecheck::process_group

#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_HOST_MEMORY_H_
