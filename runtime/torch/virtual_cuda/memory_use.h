// How much memory of each virtual device libtorch's tensors take, as its caching allocator on a GPU
// would count it, and the error where a device has no more.
//
// Units: bytes; a block counts as the multiple of 512 that a GPU's allocator hands out.
// Thread-safe.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_MEMORY_USE_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_MEMORY_USE_H_

#include <c10/core/Device.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace placecheck::virtual_cuda {

// A quantity now, the most since the last reset, and what was added and taken in all.
struct MemoryStatistic {
  std::int64_t current = 0;
  std::int64_t peak = 0;
  std::int64_t added = 0;
  std::int64_t removed = 0;
};

struct MemoryUse {
  MemoryStatistic allocated;  // bytes in blocks
  MemoryStatistic reserved;   // bytes that an allocator with a cache would hold
  MemoryStatistic blocks;
  std::int64_t out_of_memory_errors = 0;
};

// What a block of `bytes` counts.
std::size_t counted_bytes(std::size_t bytes);

MemoryUse memory_use(c10::DeviceIndex index);
void reset_peak_memory(c10::DeviceIndex index);
void reset_accumulated_memory(c10::DeviceIndex index);
// What torch.cuda.empty_cache() does: nothing is reserved but what is allocated.
void release_reserved_memory() noexcept;

// Of a device, for everybody in the process: PLACECHECK_VIRTUAL_MEMORY.
std::size_t memory_limit();
std::size_t free_memory(c10::DeviceIndex index);
// The part of it that this process's tensors may take, of each device (1).
void set_memory_fraction(c10::DeviceIndex index, double fraction);
double memory_fraction(c10::DeviceIndex index);

// Throws the error of a device without room where the device could never hold a block of `bytes`.
void refuse_beyond_limit(c10::DeviceIndex index, std::size_t bytes);

// A block that counts while this lives.
class CountedMemory {
 public:
  CountedMemory() = default;
  // Throws c10::OutOfMemoryError with PyTorch's text where there is no room.
  CountedMemory(c10::DeviceIndex index, std::size_t bytes);
  CountedMemory(CountedMemory&& other) noexcept
      : index_(other.index_), bytes_(std::exchange(other.bytes_, 0)) {}
  CountedMemory& operator=(CountedMemory&&) = delete;
  ~CountedMemory();

 private:
  c10::DeviceIndex index_ = 0;
  std::size_t bytes_ = 0;  // none: nothing is counted
};

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_MEMORY_USE_H_
