// c10::Allocator as different releases have it: a base for allocators of memory that the host can
// access.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_HOST_ALLOCATOR_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_HOST_ALLOCATOR_H_

#include <c10/core/Allocator.h>
#include <torch/version.h>

#include <cstddef>

namespace placecheck::virtual_cuda {

// `Base` is c10::Allocator or a class of libtorch derived from it.
template <class Base>
class HostAllocatorOf : public Base {
 public:
#if TORCH_VERSION_MAJOR >= 2
  c10::DataPtr allocate(std::size_t bytes) final { return take(bytes); }
  void copy_data(void* to, const void* from, std::size_t bytes) const final {
    this->default_copy_data(to, from, bytes);
  }
#else
  c10::DataPtr allocate(std::size_t bytes) const final { return take(bytes); }
#endif

 private:
  virtual c10::DataPtr take(std::size_t bytes) const = 0;
};

using HostAllocator = HostAllocatorOf<c10::Allocator>;

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_HOST_ALLOCATOR_H_
