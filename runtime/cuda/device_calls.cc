// cudaSetDevice and its like.
#include <cstring>
#include <string>

#include "runtime/cuda/devices.h"
#include "runtime/cuda/errors.h"
#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/witness.h"

using placecheck::cuda::current_device;
using placecheck::cuda::finish;

namespace placecheck::cuda {
namespace {

// A card of today, as far as programs ask.
constexpr int kThreadsPerBlock = 1024;
constexpr int kThreadsPerProcessor = 2048;
constexpr int kProcessors = 132;
constexpr int kWarp = 32;
constexpr int kMajor = 9;
constexpr int kMinor = 0;
constexpr std::size_t kSharedBytes = std::size_t{48} << 10;
constexpr std::size_t kMostSharedBytes = std::size_t{227} << 10;

cudaDeviceProp properties_of(int device) {
  cudaDeviceProp result{};
  const std::string name = "placecheck virtual GPU " + std::to_string(device);
  std::memcpy(result.name, name.c_str(), name.size() + 1);
  result.totalGlobalMem = total_bytes();
  result.sharedMemPerBlock = kSharedBytes;
  result.sharedMemPerBlockOptin = kMostSharedBytes;
  result.sharedMemPerMultiprocessor = kMostSharedBytes;
  result.regsPerBlock = 65536;
  result.regsPerMultiprocessor = 65536;
  result.warpSize = kWarp;
  result.maxThreadsPerBlock = kThreadsPerBlock;
  result.maxThreadsPerMultiProcessor = kThreadsPerProcessor;
  result.multiProcessorCount = kProcessors;
  for (int& size : result.maxThreadsDim) size = kThreadsPerBlock;
  for (int& size : result.maxGridSize) size = 65535;
  result.major = kMajor;
  result.minor = kMinor;
  result.pciBusID = device;
  result.canMapHostMemory = 1;
  result.concurrentKernels = 1;
  result.asyncEngineCount = 2;
  result.unifiedAddressing = 1;
  result.managedMemory = 1;
  result.concurrentManagedAccess = 1;
  result.cooperativeLaunch = 1;
  return result;
}

int attribute_of(cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return kThreadsPerBlock;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return static_cast<int>(kSharedBytes);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return static_cast<int>(kMostSharedBytes);
    case cudaDevAttrWarpSize:
      return kWarp;
    case cudaDevAttrMultiProcessorCount:
      return kProcessors;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return kThreadsPerProcessor;
    case cudaDevAttrComputeCapabilityMajor:
      return kMajor;
    case cudaDevAttrComputeCapabilityMinor:
      return kMinor;
    case cudaDevAttrPageableMemoryAccess:
      return 0;
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported:
      return 1;
  }
  return 0;
}

cudaError_t change_peer(int peer, bool is_enabled) {
  if (!is_device(peer) || peer == current_device()) return cudaErrorInvalidDevice;
  if (set_reach(current_device(), peer, is_enabled)) return cudaSuccess;
  return is_enabled ? cudaErrorPeerAccessAlreadyEnabled : cudaErrorPeerAccessNotEnabled;
}

}  // namespace
}  // namespace placecheck::cuda

cudaError_t cudaGetDeviceCount(int* count) {
  *count = placecheck::cuda::device_count();
  return finish(*count == 0 ? cudaErrorNoDevice : cudaSuccess);
}

cudaError_t cudaGetDevice(int* device) {
  *device = current_device();
  return finish(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
  if (!placecheck::cuda::is_device(device)) {
    const bool goes_on = placecheck::cuda::judge_index(device, __func__);
    return finish(goes_on ? cudaSuccess : cudaErrorInvalidDevice);
  }
  placecheck::cuda::select_device(device);
  return finish(cudaSuccess);
}

cudaError_t cudaSetDeviceFlags(unsigned /*flags*/) { return finish(cudaSuccess); }
cudaError_t cudaDeviceSynchronize() { return finish(cudaSuccess); }
cudaError_t cudaDeviceReset() { return finish(cudaSuccess); }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache /*config*/) { return finish(cudaSuccess); }
cudaError_t cudaProfilerStart() { return finish(cudaSuccess); }
cudaError_t cudaProfilerStop() { return finish(cudaSuccess); }

cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return finish(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return finish(cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (!placecheck::cuda::is_device(device)) return finish(cudaErrorInvalidDevice);
  *properties = placecheck::cuda::properties_of(device);
  return finish(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (!placecheck::cuda::is_device(device)) return finish(cudaErrorInvalidDevice);
  *value = placecheck::cuda::attribute_of(attribute);
  return finish(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return finish(cudaSuccess);
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (!placecheck::cuda::is_device(device) || !placecheck::cuda::is_device(peer)) {
    return finish(cudaErrorInvalidDevice);
  }
  *can = device != peer ? 1 : 0;
  return finish(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned /*flags*/) {
  return finish(placecheck::cuda::change_peer(peer, true));
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return finish(placecheck::cuda::change_peer(peer, false));
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *free = placecheck::cuda::free_bytes(current_device());
  *total = placecheck::cuda::total_bytes();
  return finish(cudaSuccess);
}
