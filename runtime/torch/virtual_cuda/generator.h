// The random numbers of virtual devices: one generator a device, with the state that CUDA's has, a
// seed and an offset, in 16 bytes. A call draws from libtorch's CPU generator, seeded anew by both,
// and moves the offset on: what is drawn repeats from the state in any process, and another offset
// gives other numbers. The first call after a seed draws what the CPU would. With
// PLACECHECK_TORCH_CPU_RANDOM in the environment all draw from the CPU's generator itself, so that
// a program gives the numbers of a run on the CPU; the state is then that generator's.
//
// Ownership: the default generators have static storage. Threads: any; a generator locks itself.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_GENERATOR_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_GENERATOR_H_

#include <ATen/core/Generator.h>
#include <c10/core/Device.h>

#include <cstddef>

namespace placecheck::virtual_cuda {

// That of the current device where `index` is -1.
const at::Generator& default_generator(c10::DeviceIndex index);

// A generator of the caller's own for that device.
at::Generator new_generator(c10::DeviceIndex index);

// The same in memory of the caller's, which is to hold a c10::GeneratorImpl and a pointer.
void construct_generator(void* memory, std::size_t size, c10::DeviceIndex index);

// The CPU generator from which one call on a virtual device draws now: this thread's own, until the
// thread asks again. Other generators are returned as they are.
at::Generator host_generator_for_call(const at::Generator& generator);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_GENERATOR_H_
