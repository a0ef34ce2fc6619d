#include "runtime/cuda/real/handles.h"

#include <map>
#include <mutex>
#include <shared_mutex>

#include "runtime/cuda/devices.h"
#include "runtime/cuda/witness.h"

namespace placecheck::cuda {
namespace {

struct Handles {
  std::shared_mutex mutex;
  std::map<const void*, int> devices;
};

// Never destroyed: static objects of the program destroy theirs late.
Handles& the_handles() {
  static auto* handles = new Handles;
  return *handles;
}

}  // namespace

void remember_handle(const void* handle, int device) {
  Handles& handles = the_handles();
  const std::lock_guard<std::shared_mutex> lock(handles.mutex);
  handles.devices.insert_or_assign(handle, device);
}

void forget_handle(const void* handle) {
  Handles& handles = the_handles();
  const std::lock_guard<std::shared_mutex> lock(handles.mutex);
  handles.devices.erase(handle);
}

std::optional<int> device_of_handle(const void* handle) {
  Handles& handles = the_handles();
  const std::shared_lock<std::shared_mutex> lock(handles.mutex);
  const auto found = handles.devices.find(handle);
  if (found == handles.devices.end()) return std::nullopt;
  return found->second;
}

void judge_stream(cudaStream_t stream, const char* operation) {
  if (const auto made = device_of_handle(stream)) {
    judge_handle("stream", *made, current_device(), operation);
  }
}

}  // namespace placecheck::cuda
