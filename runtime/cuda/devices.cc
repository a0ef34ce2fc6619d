#include "runtime/cuda/devices.h"

#include <mutex>
#include <set>
#include <utility>

#include "runtime/cuda/witness.h"
#include "runtime/devices/environment.h"
#include "runtime/devices/machine.h"

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

// A warning: the program goes on either way.
__attribute__((constructor)) void watch_environment() {
  devices::set_environment_observer(
      [](const rules::Rule& rule, std::string_view function, const std::string& message) {
        fail(rule, function, message);
      });
}

}  // namespace

const char* const kReportVariable = "PLACECHECK_CUDA_REPORT";

int device_count() { return devices::machine().device_count(); }

bool is_device(int device) { return device >= 0 && device < device_count(); }

int current_device() { return devices::machine().current_device(); }

void select_device(int device) { devices::machine().current_device() = device; }

bool reaches(int device, int other) {
  if (device == other) return true;
  Reach& reach = the_reach();
  std::lock_guard<std::mutex> lock(reach.mutex);
  return reach.enabled.contains({device, other});
}

bool set_reach(int device, int other, bool is_enabled) {
  Reach& reach = the_reach();
  std::lock_guard<std::mutex> lock(reach.mutex);
  if (is_enabled) return reach.enabled.emplace(device, other).second;
  return reach.enabled.erase({device, other}) > 0;
}

}  // namespace placecheck::cuda
