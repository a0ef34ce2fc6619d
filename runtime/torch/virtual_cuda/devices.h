// The virtual CUDA devices: how many a program sees, and which one is current on a thread.
//
// They are those of the process (devices/machine.h), which the CUDA runtime's calls share:
// cudaSetDevice changes what is current here. Their number is read once, when CUDA is first used,
// as the driver does. Thread-safe; the current device is each thread's own and starts as 0. Errors:
// RuleError (invalid-device) with the text of a CUDA build; c10::Error where no device is visible.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_DEVICES_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_DEVICES_H_

#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include "runtime/core/virtual_devices.h"

namespace placecheck::virtual_cuda {

inline constexpr c10::DeviceIndex kMostDevices = runtime::kMostVirtualDevices;

c10::DeviceIndex device_count() noexcept;

c10::DeviceIndex current_device() noexcept;

// Throws where the index is not one of a visible device.
void set_current_device(c10::DeviceIndex index);
void set_current_device_unchecked(c10::DeviceIndex index) noexcept;

// `device` with its index: the current one where it has none. Throws as CUDA does where there is no
// such device.
c10::Device resolve(c10::Device device);

// Where a program waits for a device: waits for its collectives, and throws what CUDA throws after
// an access that went wrong in a kernel of the program's own.
void synchronize();

// Work is done when it is asked for, so a stream is a name only.
c10::Stream current_stream(c10::Device device) noexcept;
c10::Stream exchange_stream(c10::Stream stream) noexcept;
// Each device has a pool of streams for each of CUDAStream.h's priorities: 0, and -1 to -3, which
// come first on GPUs. Their ids are 1 to kPoolStreams; what is above is not from a pool.
inline constexpr c10::StreamId kStreamsOfPriority = 32;
inline constexpr int kStreamPriorities = 4;
inline constexpr c10::StreamId kPoolStreams = kStreamsOfPriority * kStreamPriorities;
c10::Stream stream_from_pool(c10::Device device, int priority = 0) noexcept;
int priority_of_stream(c10::StreamId stream) noexcept;

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_DEVICES_H_
