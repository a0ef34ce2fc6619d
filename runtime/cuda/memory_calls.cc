// cudaMalloc, cudaFree and their like.
#include <cstdint>

#include "rules/cuda_pointer_placement.h"
#include "runtime/cuda/devices.h"
#include "runtime/cuda/errors.h"
#include "runtime/cuda/handles.h"
#include "runtime/cuda/host_access.h"
#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/witness.h"

using placecheck::cuda::finish;
using placecheck::cuda::Memory;
using placecheck::cuda::MemoryKind;
using User = placecheck::rules::cuda_pointer_placement::User;

namespace placecheck::cuda {
namespace {

// Rows begin where cards like them to begin.
constexpr std::size_t kPitch = 512;

cudaError_t allocate_for(MemoryKind kind, int device, void** pointer, std::size_t bytes) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  if (device_count() == 0) return cudaErrorNoDevice;
  if (kind == MemoryKind::kDevice) watch_host_accesses();
  *pointer = bytes == 0 ? nullptr : allocate(kind, device, bytes);
  return *pointer == nullptr && bytes > 0 ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t give_back(void* pointer, User user, std::string_view operation) {
  if (pointer == nullptr) return cudaSuccess;
  if (fact_of(memory_at(pointer)).place.is_known() && !judge_release(pointer, user, operation)) {
    return cudaErrorInvalidValue;
  }
  // A mistake that was only reported leaves the memory to the call that belongs to it.
  const Memory memory = memory_at(pointer);
  const bool is_pinned = memory.kind == MemoryKind::kPinned;
  const bool fits = memory.kind != MemoryKind::kHost && is_pinned == (user == User::kPinnedRelease);
  if (!fits) return is_reporting() ? cudaSuccess : cudaErrorInvalidValue;
  return release(pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaMemoryType type_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kDevice:
      return cudaMemoryTypeDevice;
    case MemoryKind::kPinned:
      return cudaMemoryTypeHost;
    case MemoryKind::kManaged:
      return cudaMemoryTypeManaged;
    case MemoryKind::kHost:
    case MemoryKind::kNowhere:
      break;
  }
  return cudaMemoryTypeUnregistered;
}

}  // namespace
}  // namespace placecheck::cuda

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return finish(placecheck::cuda::allocate_for(MemoryKind::kDevice,
                                               placecheck::cuda::current_device(), pointer, bytes));
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  using placecheck::cuda::kPitch;
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  return cudaMalloc(pointer, *pitch * height);
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  const auto device = placecheck::cuda::device_of(stream);
  if (!device) return finish(cudaErrorInvalidResourceHandle);
  return finish(placecheck::cuda::allocate_for(MemoryKind::kDevice, *device, pointer, bytes));
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned /*flags*/) {
  return finish(placecheck::cuda::allocate_for(MemoryKind::kManaged,
                                               placecheck::cuda::current_device(), pointer, bytes));
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return finish(placecheck::cuda::allocate_for(MemoryKind::kPinned,
                                               placecheck::cuda::current_device(), pointer, bytes));
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned /*flags*/) {
  return cudaMallocHost(pointer, bytes);
}

cudaError_t cudaHostGetDevicePointer(void** on_device, void* on_host, unsigned /*flags*/) {
  const bool is_pinned = placecheck::cuda::memory_at(on_host).kind == MemoryKind::kPinned;
  *on_device = is_pinned ? on_host : nullptr;
  return finish(is_pinned ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostRegister(void* memory, size_t bytes, unsigned /*flags*/) {
  if (memory == nullptr || bytes == 0) return finish(cudaErrorInvalidValue);
  const bool is_new = placecheck::cuda::memory_at(memory).kind == MemoryKind::kHost &&
                      placecheck::cuda::pin(memory, bytes);
  return finish(is_new ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered);
}

cudaError_t cudaHostUnregister(void* memory) {
  return finish(placecheck::cuda::unpin(memory) ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaFree(void* pointer) {
  return finish(placecheck::cuda::give_back(pointer, User::kDeviceRelease, __func__));
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t /*stream*/) {
  return finish(placecheck::cuda::give_back(pointer, User::kDeviceRelease, __func__));
}

cudaError_t cudaFreeHost(void* pointer) {
  return finish(placecheck::cuda::give_back(pointer, User::kPinnedRelease, __func__));
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const Memory memory = placecheck::cuda::memory_at(pointer);
  const bool is_device = memory.kind == MemoryKind::kDevice;
  const bool is_known = memory.begin != nullptr;
  *attributes = {};
  attributes->type = placecheck::cuda::type_of(memory.kind);
  attributes->device = is_known ? memory.device : -2;
  attributes->devicePointer = is_known ? const_cast<void*>(pointer) : nullptr;
  attributes->hostPointer = is_known && !is_device ? const_cast<void*>(pointer) : nullptr;
  return finish(cudaSuccess);
}
