// The memory of virtual devices: host memory whose data pointers say which device it is of, and
// which the process's register of memory (devices/machine.h) knows by address, so that anybody can
// ask what cudaPointerGetAttributes would answer.
//
// Ownership: a data pointer owns its memory, which libtorch's CPU allocator made. Thread-safe.
// Errors: c10::OutOfMemoryError, see memory_use.h.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_MEMORY_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_MEMORY_H_

#include <c10/core/Allocator.h>
#include <c10/core/Storage.h>

#include <cstddef>
#include <optional>

namespace placecheck::virtual_cuda {

// For DeviceType::CUDA; allocates on the current device. Has static storage.
c10::Allocator* device_allocator();

// New memory of `device`, whichever is current.
c10::DataPtr allocate_on(c10::Device device, std::size_t bytes);

// Plain memory of the host that knows that it is pinned. Has static storage.
c10::Allocator* pinned_allocator();

// Memory of the current device without a data pointer, as CUDACachingAllocator::raw_alloc gives it;
// free_raw() takes it back, and null.
void* allocate_raw(std::size_t bytes);
void free_raw(void* address) noexcept;

// The device that an address belongs to, whoever allocated it there: for pinned and managed memory
// the one that was current then. None for other memory of the host.
std::optional<c10::Device> device_of_address(const void* address);
bool is_pinned_address(const void* address);

// The same memory as that of a virtual device; `host` gives up what it owned.
c10::DataPtr adopt(c10::DataPtr&& host, std::size_t bytes, c10::Device device);

// A resizable storage on `device` with the memory that a CPU kernel made for `host`.
c10::Storage adopt(c10::Storage&& host, c10::Device device);

// From now on until it is given up, the storage is the result of a transfer that nobody has read
// (transfers.h).
void watch_transfer(const c10::Storage& storage);

// A CPU storage that looks at the same memory and owns none of it; a CPU kernel may resize it. What
// the CUDA runtime allocated, which the program cannot access, is seen through its alias.
c10::Storage look_at(const c10::Storage& storage);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_MEMORY_H_
