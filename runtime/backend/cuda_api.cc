#include "runtime/backend/cuda_api.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "runtime/backend/generator.h"
#include "runtime/core/check.h"

namespace placecheck::runtime::cuda {
namespace {

DeviceIndex or_current(DeviceIndex device) { return resolved(Device(kCUDA, device)).index(); }

std::uint64_t by_chance() {
  std::random_device source;
  return (static_cast<std::uint64_t>(source()) << 32) | source();
}

}  // namespace

std::size_t device_count() { return static_cast<std::size_t>(cuda_backend().device_count()); }
bool is_available() { return device_count() > 0; }

DeviceIndex current_device() { return or_current(-1); }

void set_device(DeviceIndex device) {
  if (device < 0) refuse_device(device, text_of("device id must be positive!", device));
  set_current_device(device);
}

DeviceProperties get_device_properties(DeviceIndex device) {
  return cuda_backend().properties(or_current(device));
}

std::string get_device_name(DeviceIndex device) { return get_device_properties(device).name; }

std::pair<int, int> get_device_capability(DeviceIndex device) {
  DeviceProperties properties = get_device_properties(device);
  return {properties.major, properties.minor};
}

std::pair<std::int64_t, std::int64_t> mem_get_info(DeviceIndex device) {
  MemoryInfo memory = cuda_backend().memory(or_current(device));
  return {memory.free, memory.total};
}

std::vector<DeviceIndex> devices_by_free_memory() {
  std::vector<DeviceIndex> devices(device_count());
  std::iota(devices.begin(), devices.end(), 0);
  std::stable_sort(devices.begin(), devices.end(), [](DeviceIndex a, DeviceIndex b) {
    return mem_get_info(a).first > mem_get_info(b).first;
  });
  return devices;
}

void synchronize(DeviceIndex device) { cuda_backend().synchronize_device(or_current(device)); }

void manual_seed(std::uint64_t seed) {
  if (is_available()) seed_generator({kCUDA, or_current(-1)}, seed);
}
void manual_seed_all(std::uint64_t seed) { seed_all_cuda(seed); }
std::uint64_t initial_seed() { return seed_of({kCUDA, or_current(-1)}); }
void seed() { manual_seed(by_chance()); }
void seed_all() { manual_seed_all(by_chance()); }

void Stream::synchronize() const { cuda_backend().synchronize(id_); }
std::shared_ptr<Event> Stream::record() const { return cuda_backend().record(id_); }
void Stream::wait(const std::shared_ptr<Event>& event) const { cuda_backend().wait(id_, event); }

Stream new_stream(DeviceIndex device) {
  return Stream(cuda_backend().new_stream(or_current(device)));
}

Stream current_stream(DeviceIndex device) {
  return Stream(runtime::current_stream(or_current(device)));
}

CUDAStreamGuard::CUDAStreamGuard(const Stream& stream)
    : previous_(runtime::current_stream(stream.id().device)) {
  set_current_stream(stream.id());
}

CUDAStreamGuard::~CUDAStreamGuard() { set_current_stream(previous_); }

}  // namespace placecheck::runtime::cuda
