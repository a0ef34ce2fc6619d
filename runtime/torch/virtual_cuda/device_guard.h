// What c10's guards, streams and events ask of CUDA, and autograd to start a thread a device.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_DEVICE_GUARD_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_DEVICE_GUARD_H_

#include <c10/core/impl/DeviceGuardImplInterface.h>

namespace placecheck::virtual_cuda {

// Has static storage; any thread may use it.
const c10::impl::DeviceGuardImplInterface& device_guard();

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_DEVICE_GUARD_H_
