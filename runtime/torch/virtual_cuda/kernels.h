// The operators that virtual devices do not leave to a CPU kernel of the same name.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_KERNELS_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_KERNELS_H_

#include <torch/library.h>

namespace placecheck::virtual_cuda {

// New memory, copies between devices, views and storages, pinned memory.
// Both halves of a transfer: from the CPU, and from a device.
void add_transfer_kernels(torch::Library& for_cpu, torch::Library& for_cuda);
void add_memory_kernels(torch::Library& library);

// For the CPU: recurrent cells that only CUDA builds have, which choose them by the kind of input.
void add_host_fused_kernels(torch::Library& library);

// What ATen asks of CUDA alone: dropout from the device's generator, whether cuDNN is to be used.
void add_cuda_only_kernels(torch::Library& library);

// Loss scaling, fused Adam, batch normalisation over several devices.
void add_training_kernels(torch::Library& library);

// Whole convolutions, as the CPU does them.
void add_convolution_kernels(torch::Library& library);

// Products whose result has another type than their factors.
void add_product_kernels(torch::Library& library);

// Copies of nested tensors, between devices too.
void add_nested_copies(torch::Library& library);

// Softmax of half with a result in float.
void add_softmax_kernels(torch::Library& library);

// For AutogradCUDA: recurrent layers with what cuDNN's backward passes refuse.
void add_recurrent_layers(torch::Library& library);

// The choice of a kernel of attention: always the CPU's, refused where the program rules out all
// that CUDA has.
void add_attention_backends();

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_KERNELS_H_
