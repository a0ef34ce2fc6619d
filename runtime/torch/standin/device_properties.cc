#include "runtime/torch/standin/device_properties.h"

#include <array>
#include <cstdio>
#include <cstring>

#include "runtime/devices/properties.h"
#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/memory_use.h"

namespace placecheck::standin {
namespace {

using devices::kProperties;

DeviceProperties make(int index) {
  DeviceProperties properties{};
  std::snprintf(properties.name, sizeof properties.name, "%s", devices::kDeviceName);
  std::memcpy(properties.uuid, "placecheck", 10);
  properties.uuid[15] = static_cast<unsigned char>(index);
  properties.total_global_memory = virtual_cuda::memory_limit();
  properties.shared_memory_per_block = kProperties.shared_memory_per_block;
  properties.shared_memory_per_block_opt_in = kProperties.shared_memory_per_block_opt_in;
  properties.shared_memory_per_multiprocessor = kProperties.shared_memory_per_multiprocessor;
  properties.registers_per_block = kProperties.registers_per_multiprocessor;
  properties.registers_per_multiprocessor = kProperties.registers_per_multiprocessor;
  properties.warp_size = kProperties.warp_size;
  properties.threads_per_block = kProperties.threads_per_block;
  properties.threads_per_multiprocessor = kProperties.threads_per_multiprocessor;
  properties.major = kProperties.major;
  properties.minor = kProperties.minor;
  properties.multiprocessors = kProperties.multiprocessors;
  properties.l2_cache_size = kProperties.l2_cache_size;
  properties.memory_bus_width = kProperties.memory_bus_width;
#if PLACECHECK_CUDA_MAJOR < 13
  properties.clock_rate = kProperties.clock_rate;
  properties.memory_clock_rate = kProperties.memory_clock_rate;
#endif
  properties.pci_bus = index + 1;
  properties.can_map_host_memory = 1;
  properties.has_concurrent_kernels = 1;
  properties.has_unified_addressing = 1;
  properties.has_managed_memory = 1;
  properties.has_stream_priorities = 1;
  return properties;
}

}  // namespace

const DeviceProperties& device_properties(int index) {
  static const auto* kAll = [] {
    auto* all = new std::array<DeviceProperties, virtual_cuda::kMostDevices>;
    for (std::size_t i = 0; i < all->size(); ++i) (*all)[i] = make(static_cast<int>(i));
    return all;
  }();
  return kAll->at(static_cast<std::size_t>(index));
}

}  // namespace placecheck::standin
