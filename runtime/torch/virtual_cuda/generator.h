// The random numbers of virtual devices: one generator a device, which draws as libtorch's CPU
// generator does, from a state of its own. Seeded as a program's first lines seed them all, a
// device draws what the CPU would have drawn. With PLACECHECK_TORCH_CPU_RANDOM in the environment
// all draw from the CPU's generator, so that a program gives the numbers of a run on the CPU.
//
// Ownership: the default generators have static storage. Lock a generator's mutex to draw from it;
// kernels lock that of its host part, from which they draw.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_GENERATOR_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_GENERATOR_H_

#include <ATen/core/Generator.h>
#include <c10/core/Device.h>

namespace placecheck::virtual_cuda {

// That of the current device where `index` is -1.
const at::Generator& default_generator(c10::DeviceIndex index);

// A generator of the caller's own for that device.
at::Generator new_generator(c10::DeviceIndex index);

// The CPU generator that a virtual device's generator draws from; others are returned as they are.
at::Generator host_part(const at::Generator& generator);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_GENERATOR_H_
