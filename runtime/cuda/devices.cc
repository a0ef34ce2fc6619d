#include "runtime/cuda/devices.h"

#include "runtime/cuda/witness.h"
#include "runtime/devices/environment.h"
#include "runtime/devices/machine.h"

namespace placecheck::cuda {
namespace {

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

}  // namespace placecheck::cuda
