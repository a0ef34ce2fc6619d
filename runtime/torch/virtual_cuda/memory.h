// The memory of virtual devices: host memory whose data pointers say which device it is of, and a
// register of it by address, which answers what cudaPointerGetAttributes would.
//
// Ownership: a data pointer owns its memory, which libtorch's CPU allocator made. Thread-safe.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_MEMORY_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_MEMORY_H_

#include <c10/core/Allocator.h>
#include <c10/core/Storage.h>

#include <optional>

namespace placecheck::virtual_cuda {

// For DeviceType::CUDA; allocates on the current device. Has static storage.
c10::Allocator* device_allocator();

// Plain memory of the host that knows that it is pinned. Has static storage.
c10::Allocator* pinned_allocator();

// Where an address lies: on a virtual device, in pinned memory (cpu), or elsewhere (none).
std::optional<c10::Device> registered_place(const void* address);

// The same memory as that of a virtual device; `host` gives up what it owned.
c10::DataPtr adopt(c10::DataPtr&& host, std::size_t bytes, c10::Device device);

// A resizable storage on `device` with the memory that a CPU kernel made for `host`.
c10::Storage adopt(c10::Storage&& host, c10::Device device);

// A CPU storage that looks at the same memory and owns none of it; a CPU kernel may resize it.
c10::Storage look_at(const c10::Storage& storage);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_MEMORY_H_
