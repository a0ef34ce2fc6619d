// Memory of the virtual devices, of pinned pages and of managed ones: who has which addresses, what
// others made of them included (devices/machine.h): libtorch's tensors are memory of their device.
//
// All that is made here lies in one range of addresses, so that it can be told from the host's own
// without a look-up. Memory of a device is mapped twice: where the program has its pointer no
// access is allowed, and an alias serves the copies. Thread-safe.
#ifndef PLACECHECK_RUNTIME_CUDA_MEMORY_H_
#define PLACECHECK_RUNTIME_CUDA_MEMORY_H_

#include <cstddef>
#include <cstdint>

namespace placecheck::cuda {

enum class MemoryKind : std::uint8_t {
  kHost,     // not from here
  kDevice,   // of one device
  kPinned,   // of the host, and in every device's reach
  kManaged,  // everybody's
  kNowhere,  // given back, or never there
};

struct Memory {
  MemoryKind kind = MemoryKind::kHost;
  int device = 0;         // where it was made
  char* begin = nullptr;  // null for memory of the host
  std::size_t bytes = 0;
  char* alias = nullptr;  // where it can be accessed, if not at `begin`
};

// Null where there is no more. The pages of no bytes are none, but the address is.
void* allocate(MemoryKind kind, int device, std::size_t bytes);
// The address must be the first of memory that allocate() made.
bool release(void* begin);

Memory memory_at(const void* address);
// No look-up, no lock: may be called where memory is being given back.
bool is_from_here(const void* address);
// The device whose memory made here an address is; negative where there is none.
// Async-signal-safe.
int device_at(const void* address) noexcept;

// Pages of the host that are pinned while they are registered; false where they are (are not).
bool pin(void* begin, std::size_t bytes);
bool unpin(void* begin);
// Variables that everybody reaches.
void add_managed(void* begin, std::size_t bytes);

// Where `bytes` from `address` on can be accessed by this library; null where they go beyond memory
// that it knows.
char* accessible(void* address, std::size_t bytes);

// Bytes of a device that are free, and all.
std::size_t free_bytes(int device);
std::size_t total_bytes();

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_MEMORY_H_
