#include "runtime/cuda/errors.h"

#include <algorithm>
#include <iterator>

#include "runtime/devices/machine.h"

namespace placecheck::cuda {
namespace {

thread_local cudaError_t last = cudaSuccess;

struct Row {
  cudaError_t error;
  const char* name;
  const char* text;
};

// What NVIDIA's runtime says.
constexpr Row kRows[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled",
     "peer access is already enabled"},
    {cudaErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled",
     "peer access has not been enabled"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

const Row* row_of(cudaError_t error) {
  const auto* row = std::ranges::find(kRows, error, &Row::error);
  return row == std::end(kRows) ? nullptr : row;
}

}  // namespace

cudaError_t finish(cudaError_t error) {
  const int lasting = devices::machine().sticky_error();
  if (lasting != cudaSuccess) error = static_cast<cudaError_t>(lasting);
  if (error != cudaSuccess) last = error;
  return error;
}

void leave_unusable(cudaError_t error) { devices::machine().set_sticky_error(error); }

}  // namespace placecheck::cuda

cudaError_t cudaGetLastError() {
  const cudaError_t error = placecheck::cuda::last;
  placecheck::cuda::last = static_cast<cudaError_t>(placecheck::devices::machine().sticky_error());
  return error;
}

cudaError_t cudaPeekAtLastError() { return placecheck::cuda::last; }

const char* cudaGetErrorName(cudaError_t error) {
  const auto* row = placecheck::cuda::row_of(error);
  return row == nullptr ? "unrecognized error code" : row->name;
}

const char* cudaGetErrorString(cudaError_t error) {
  const auto* row = placecheck::cuda::row_of(error);
  return row == nullptr ? "unrecognized error code" : row->text;
}
