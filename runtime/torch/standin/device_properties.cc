#include "runtime/torch/standin/device_properties.h"

#include <array>
#include <cstdio>
#include <cstring>

#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/memory_use.h"

namespace placecheck::standin {
namespace {

DeviceProperties make(int index) {
  DeviceProperties properties{};
  std::snprintf(properties.name, sizeof properties.name, "placecheck virtual GPU");
  std::memcpy(properties.uuid, "placecheck", 10);
  properties.uuid[15] = static_cast<unsigned char>(index);
  properties.total_global_memory = virtual_cuda::memory_limit();
  properties.shared_memory_per_block = 48 * 1024;
  properties.shared_memory_per_block_opt_in = 163 * 1024;
  properties.shared_memory_per_multiprocessor = 164 * 1024;
  properties.registers_per_block = 65536;
  properties.registers_per_multiprocessor = 65536;
  properties.warp_size = 32;
  properties.threads_per_block = 1024;
  properties.threads_per_multiprocessor = 2048;
  properties.major = 8;
  properties.minor = 0;
  properties.multiprocessors = 108;
  properties.l2_cache_size = 40 * 1024 * 1024;
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
