// Where memory is, as the CUDA runtime of the machine tells it.
#include "runtime/cuda/memory.h"

#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/cuda/real/libraries.h"

namespace placecheck::cuda {
namespace {

MemoryKind kind_of(cudaMemoryType type) {
  switch (type) {
    case cudaMemoryTypeHost:
      return MemoryKind::kPinned;
    case cudaMemoryTypeDevice:
      return MemoryKind::kDevice;
    case cudaMemoryTypeManaged:
      return MemoryKind::kManaged;
    case cudaMemoryTypeUnregistered:
      return MemoryKind::kHost;
  }
  return MemoryKind::kNowhere;
}

// Devices that reach the host's pages are given any of them.
bool reaches_pages_of_host(int device) {
  int can = 0;
  const cudaError_t error =
      PLACECHECK_REAL(cudaDeviceGetAttribute)(&can, cudaDevAttrPageableMemoryAccess, device);
  return error == cudaSuccess && can != 0;
}

bool is_host_reached() {
  static const bool kIsReached = reaches_pages_of_host(0);
  return kIsReached;
}

}  // namespace

Memory memory_at(const void* address) {
  cudaPointerAttributes attributes{};
  if (PLACECHECK_REAL(cudaPointerGetAttributes)(&attributes, address) != cudaSuccess) {
    // Of this question, not of the program's call. CUDA before 11 refuses memory that it does not
    // know.
    PLACECHECK_REAL(cudaGetLastError)();
    return {.kind = MemoryKind::kNowhere};
  }
  const MemoryKind kind = kind_of(attributes.type);
  if (kind == MemoryKind::kHost && is_host_reached()) return {.kind = MemoryKind::kManaged};
  return {.kind = kind, .device = attributes.device < 0 ? 0 : attributes.device};
}

}  // namespace placecheck::cuda
