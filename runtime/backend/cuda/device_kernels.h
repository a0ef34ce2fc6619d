// The device's half of all kernels.
#ifndef PLACECHECK_RUNTIME_BACKEND_CUDA_DEVICE_KERNELS_H_
#define PLACECHECK_RUNTIME_BACKEND_CUDA_DEVICE_KERNELS_H_

namespace placecheck::runtime {

// Fills in the device's part of every kernel's entry. Once, before the first launch.
void install_device_kernels();

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_CUDA_DEVICE_KERNELS_H_
