// cudaSetDevice and its like.
#include <cstring>
#include <string>

#include "runtime/cuda/devices.h"
#include "runtime/cuda/errors.h"
#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/witness.h"
#include "runtime/devices/properties.h"

using placecheck::cuda::current_device;
using placecheck::cuda::finish;

namespace placecheck::cuda {
namespace {

using devices::kProperties;

cudaDeviceProp properties_of(int device) {
  cudaDeviceProp result{};
  const std::string name = devices::kDeviceName;
  std::memcpy(result.name, name.c_str(), name.size() + 1);
  result.totalGlobalMem = total_bytes();
  result.sharedMemPerBlock = kProperties.shared_memory_per_block;
  result.sharedMemPerBlockOptin = kProperties.shared_memory_per_block_opt_in;
  result.sharedMemPerMultiprocessor = kProperties.shared_memory_per_multiprocessor;
  result.regsPerBlock = kProperties.registers_per_multiprocessor;
  result.regsPerMultiprocessor = kProperties.registers_per_multiprocessor;
  result.warpSize = kProperties.warp_size;
  result.maxThreadsPerBlock = kProperties.threads_per_block;
  result.maxThreadsPerMultiProcessor = kProperties.threads_per_multiprocessor;
  result.multiProcessorCount = kProperties.multiprocessors;
  for (int& size : result.maxThreadsDim) size = kProperties.threads_per_block;
  for (int& size : result.maxGridSize) size = 65535;
  result.major = kProperties.major;
  result.minor = kProperties.minor;
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
      return kProperties.threads_per_block;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return kProperties.shared_memory_per_block;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return kProperties.shared_memory_per_block_opt_in;
    case cudaDevAttrWarpSize:
      return kProperties.warp_size;
    case cudaDevAttrMultiProcessorCount:
      return kProperties.multiprocessors;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return kProperties.threads_per_multiprocessor;
    case cudaDevAttrComputeCapabilityMajor:
      return kProperties.major;
    case cudaDevAttrComputeCapabilityMinor:
      return kProperties.minor;
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
  *can = 0;
  for (const int each : {device, peer}) {
    if (placecheck::cuda::is_device(each)) continue;
    const bool goes_on = placecheck::cuda::judge_index(each, __func__);
    return finish(goes_on ? cudaSuccess : cudaErrorInvalidDevice);
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
