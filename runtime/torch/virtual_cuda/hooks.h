// What libtorch_cpu asks of CUDA: whether it is there, how many devices, their generators and
// allocators.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_HOOKS_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_HOOKS_H_

#include <ATen/detail/CUDAHooksInterface.h>

#include <memory>

namespace placecheck::virtual_cuda {

std::unique_ptr<at::CUDAHooksInterface> make_hooks();

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_HOOKS_H_
