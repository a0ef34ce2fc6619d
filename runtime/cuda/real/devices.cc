// The devices of the machine, as its CUDA runtime tells them.
#include "runtime/cuda/devices.h"

#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/cuda/real/libraries.h"

namespace placecheck::cuda {

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

}  // namespace placecheck::cuda
