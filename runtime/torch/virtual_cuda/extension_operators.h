// Operators that extensions bring, such as torchvision's nms. Where an extension has a kernel for
// the CPU and one for CUDA, the CPU's runs: CUDA kernels are launched and not executed, so that
// theirs would return what is not computed.
//
// Thread-safe; the calls may be nested.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_EXTENSION_OPERATORS_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_EXTENSION_OPERATORS_H_

namespace placecheck::virtual_cuda {

// From now on operators are taken for those of extensions. Once, when PyTorch's own are registered.
void watch_extension_operators();

}  // namespace placecheck::virtual_cuda

// Around the loading of a shared library. Kernels for CUDA that are registered in between are
// replaced; those that a Python program registers are its own.
extern "C" {
__attribute__((visibility("default"))) void placecheck_before_extension();
__attribute__((visibility("default"))) void placecheck_after_extension();
}

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_EXTENSION_OPERATORS_H_
