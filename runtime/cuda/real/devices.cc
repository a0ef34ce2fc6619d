// The devices of the machine, as its CUDA runtime tells them.
#include "runtime/cuda/devices.h"

#include <mutex>
#include <set>
#include <utility>

#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/cuda/real/libraries.h"

namespace placecheck::cuda {
namespace {

struct Reach {
  std::mutex mutex;
  std::set<std::pair<int, int>> enabled;
};

// Never destroyed: static objects of the program give memory back late.
Reach& the_reach() {
  static auto* reach = new Reach;
  return *reach;
}

}  // namespace

const char* const kReportVariable = "PLACECHECK_REAL_REPORT";

int device_count() {
  static const int kCount = [] {
    int count = 0;
    return PLACECHECK_REAL(cudaGetDeviceCount)(&count) == cudaSuccess ? count : 0;
  }();
  return kCount;
}

bool is_device(int device) { return device >= 0 && device < device_count(); }

int current_device() {
  int device = 0;
  return PLACECHECK_REAL(cudaGetDevice)(&device) == cudaSuccess ? device : 0;
}

void select_device(int device) { PLACECHECK_REAL(cudaSetDevice)(device); }

bool reaches(int device, int other) {
  if (device == other) return true;
  Reach& reach = the_reach();
  const std::lock_guard<std::mutex> lock(reach.mutex);
  return reach.enabled.contains({device, other});
}

bool set_reach(int device, int other, bool is_enabled) {
  Reach& reach = the_reach();
  const std::lock_guard<std::mutex> lock(reach.mutex);
  if (is_enabled) return reach.enabled.emplace(device, other).second;
  return reach.enabled.erase({device, other}) > 0;
}

}  // namespace placecheck::cuda
