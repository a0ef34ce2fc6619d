// Which backend serves which device, and what is current: the process-wide part of CUDA's model.
// The CUDA devices are chosen at their first use (PLACECHECK_BACKEND=virtual|cuda; virtual where no
// GPU is found) and stay. Threads: any; the current device and stream are each thread's own.
#ifndef PLACECHECK_RUNTIME_BACKEND_DEVICES_H_
#define PLACECHECK_RUNTIME_BACKEND_DEVICES_H_

#include <memory>

#include "runtime/backend/backend.h"
#include "runtime/core/device.h"

namespace placecheck::runtime {

Backend& backend_of(const Device& device);
Backend& cuda_backend();

// A device with its index: that of the current device where there is none. Throws "invalid device
// ordinal" for one that is not there.
Device resolved(const Device& device);

DeviceIndex current_device();
void set_current_device(DeviceIndex device);
StreamId current_stream(DeviceIndex device);
void set_current_stream(StreamId stream);
// The stream on which work for this device is enqueued now; of no meaning for the CPU.
StreamId stream_of(const Device& device);

// Makes `device` current for a scope; the CPU changes nothing.
class DeviceGuard {
 public:
  explicit DeviceGuard(const Device& device);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  DeviceIndex previous_;
};

// Another set of CUDA devices for a scope: for tests and for programs that bring their own options.
// No tensor on the earlier devices may be used inside, none on these outside.
class ScopedCudaBackend {
 public:
  explicit ScopedCudaBackend(std::unique_ptr<Backend> backend);
  ~ScopedCudaBackend();
  ScopedCudaBackend(const ScopedCudaBackend&) = delete;
  ScopedCudaBackend& operator=(const ScopedCudaBackend&) = delete;

 private:
  std::unique_ptr<Backend> backend_;
  Backend* previous_;
};

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_DEVICES_H_
