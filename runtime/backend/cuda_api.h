// What programs ask of CUDA devices: how many there are, which is current, how much memory is free,
// how they are seeded. The names are those of torch.cuda. Threads: any; the current device and
// stream are each thread's own.
#ifndef PLACECHECK_RUNTIME_BACKEND_CUDA_API_H_
#define PLACECHECK_RUNTIME_BACKEND_CUDA_API_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/backend/backend.h"
#include "runtime/backend/devices.h"

namespace placecheck::runtime::cuda {

std::size_t device_count();
bool is_available();

DeviceIndex current_device();
// Throws "invalid device ordinal" for a device that is not there, and for a negative one.
void set_device(DeviceIndex device);

std::string get_device_name(DeviceIndex device = -1);
std::pair<int, int> get_device_capability(DeviceIndex device = -1);
DeviceProperties get_device_properties(DeviceIndex device = -1);
// Free and total bytes.
std::pair<std::int64_t, std::int64_t> mem_get_info(DeviceIndex device = -1);
// All devices, the one with the most free memory first.
std::vector<DeviceIndex> devices_by_free_memory();

// Waits for all work on a device.
void synchronize(DeviceIndex device = -1);

// The current device; without GPUs, nothing.
void manual_seed(std::uint64_t seed);
void manual_seed_all(std::uint64_t seed);
std::uint64_t initial_seed();
void seed();      // the current device, by chance
void seed_all();  // every device, by the same chance

using CUDAGuard = DeviceGuard;

// A queue of work on one device.
class Stream {
 public:
  explicit Stream(StreamId id) : id_(id) {}
  StreamId id() const { return id_; }
  Device device() const { return {kCUDA, id_.device}; }
  void synchronize() const;
  std::shared_ptr<Event> record() const;
  void wait(const std::shared_ptr<Event>& event) const;

 private:
  StreamId id_;
};

Stream new_stream(DeviceIndex device = -1);
Stream current_stream(DeviceIndex device = -1);

// Makes a stream its device's current one for a scope.
class CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(const Stream& stream);
  ~CUDAStreamGuard();
  CUDAStreamGuard(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard& operator=(const CUDAStreamGuard&) = delete;

 private:
  StreamId previous_;
};

}  // namespace placecheck::runtime::cuda

#endif  // PLACECHECK_RUNTIME_BACKEND_CUDA_API_H_
