// What is known of a device's memory, in the form of libtorch's allocators (2.6 and newer).
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_DEVICE_STATISTICS_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_DEVICE_STATISTICS_H_

#include "runtime/torch/virtual_cuda/release.h"

#if PLACECHECK_TORCH_AT_LEAST(2, 6)

#include <c10/core/CachingDeviceAllocator.h>

#include "runtime/torch/virtual_cuda/memory_use.h"

namespace placecheck::virtual_cuda {

// There is one pool of memory: large and small blocks are not told apart.
template <class Pools>
void set_all_pools(Pools& pools, const MemoryStatistic& statistic) {
  auto& all_pools = pools[0];
  all_pools.current = statistic.current;
  all_pools.peak = statistic.peak;
  all_pools.allocated = statistic.added;
  all_pools.freed = statistic.removed;
}

inline c10::CachingDeviceAllocator::DeviceStats device_statistics(c10::DeviceIndex index) {
  const MemoryUse use = memory_use(index);
  c10::CachingDeviceAllocator::DeviceStats stats;
  for (auto* bytes : {&stats.allocated_bytes, &stats.active_bytes, &stats.requested_bytes}) {
    set_all_pools(*bytes, use.allocated);
  }
  set_all_pools(stats.reserved_bytes, use.reserved);
  for (auto* blocks : {&stats.allocation, &stats.segment, &stats.active}) {
    set_all_pools(*blocks, use.blocks);
  }
  stats.num_ooms = use.out_of_memory_errors;
  return stats;
}

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_TORCH_AT_LEAST(2, 6)
#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_DEVICE_STATISTICS_H_
