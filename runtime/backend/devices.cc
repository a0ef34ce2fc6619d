#include "runtime/backend/devices.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>

#include "runtime/backend/host/host_backend.h"
#include "runtime/backend/real_cuda.h"
#include "runtime/backend/virtual/virtual_backend.h"
#include "runtime/core/check.h"
#include "runtime/devices/machine.h"

namespace placecheck::runtime {
namespace {

std::atomic<Backend*> active_cuda{nullptr};

// The default stream's where a device is absent.
using CurrentStreams = std::unordered_map<DeviceIndex, int>;

CurrentStreams& current_streams() {
  thread_local CurrentStreams streams;
  return streams;
}

void forget_current() {
  devices::machine().current_device() = 0;
  current_streams().clear();
}

std::unique_ptr<Backend> choose_cuda_backend() {
  const char* variable = std::getenv("PLACECHECK_BACKEND");
  std::string wanted = variable == nullptr ? "" : variable;
  check<ValueError>(wanted.empty() || wanted == "virtual" || wanted == "cuda",
                    "PLACECHECK_BACKEND must be virtual or cuda, but is '", wanted, "'");
  if (wanted != "virtual") {
    if (auto real = make_real_cuda_backend()) return real;
    check(wanted.empty(),
          "PLACECHECK_BACKEND is cuda, but there is no GPU, or the program was not linked with "
          "//runtime:runtime_cuda");
  }
  return make_virtual_backend(virtual_options_from_environment());
}

// Lives to the end of the process: tensors in static storage may outlast any other owner.
Backend& default_cuda_backend() {
  static Backend* const kBackend = choose_cuda_backend().release();
  return *kBackend;
}

Backend& host_backend() {
  static Backend* const kBackend = make_host_backend().release();
  return *kBackend;
}

}  // namespace

Backend& cuda_backend() {
  Backend* active = active_cuda.load(std::memory_order_acquire);
  return active != nullptr ? *active : default_cuda_backend();
}

Backend& backend_of(const Device& device) {
  return device.is_cpu() ? host_backend() : cuda_backend();
}

Device resolved(const Device& device) {
  if (device.is_cpu()) return kCPU;
  Device result(kCUDA, device.has_index() ? device.index() : current_device());
  check_ordinal(cuda_backend(), result.index());
  return result;
}

DeviceIndex current_device() { return devices::machine().current_device(); }

void set_current_device(DeviceIndex device) {
  check_ordinal(cuda_backend(), device);
  devices::machine().current_device() = device;
}

StreamId current_stream(DeviceIndex device) {
  const auto& streams = current_streams();
  auto found = streams.find(device);
  return {device, found == streams.end() ? 0 : found->second};
}

void set_current_stream(StreamId stream) { current_streams()[stream.device] = stream.id; }

StreamId stream_of(const Device& device) {
  return device.is_cpu() ? StreamId{} : current_stream(device.index());
}

DeviceGuard::DeviceGuard(const Device& device) : previous_(current_device()) {
  if (device.is_cuda() && device.has_index()) set_current_device(device.index());
}

DeviceGuard::~DeviceGuard() { devices::machine().current_device() = previous_; }

ScopedCudaBackend::ScopedCudaBackend(std::unique_ptr<Backend> backend)
    : backend_(std::move(backend)), previous_(active_cuda.exchange(backend_.get())) {
  forget_current();
}

ScopedCudaBackend::~ScopedCudaBackend() {
  active_cuda.store(previous_);
  forget_current();
}

}  // namespace placecheck::runtime
