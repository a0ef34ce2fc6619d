// The seam between tensors and devices: memory, streams, kernels, copies. One implementation serves
// the CPU, one the CUDA devices: virtual ones in host memory, or real ones.
//
// Ownership: memory belongs to the backend that allocated it and goes back to it. Threads: every
// method may be called from any thread; work on one stream runs in the order in which it was given.
// Errors: core::Error with CUDA's texts; what a kernel did wrong is raised by a later synchronize.
#ifndef PLACECHECK_RUNTIME_BACKEND_BACKEND_H_
#define PLACECHECK_RUNTIME_BACKEND_BACKEND_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "runtime/backend/kernel.h"
#include "runtime/core/device.h"

namespace placecheck::runtime {

// A queue of work on one device; 0 is the device's default stream.
struct StreamId {
  DeviceIndex device = 0;
  int id = 0;
  friend bool operator==(const StreamId&, const StreamId&) = default;
};

struct DeviceProperties {
  std::string name;
  std::string uuid;
  int major = 0;
  int minor = 0;
  std::int64_t total_memory = 0;
  int multi_processor_count = 0;
};

struct MemoryInfo {
  std::int64_t free = 0;
  std::int64_t total = 0;
};

// One kernel over `count` indices. `pointers` are what it reads and writes.
struct Launch {
  const KernelEntry* entry;
  std::int64_t count;
  std::int64_t work;  // about how many numbers it touches
  const void* kernel;
  std::size_t kernel_bytes;
  std::span<const void* const> pointers;
};

// Bytes from one place to another. Work on both streams that was given before is done first, and
// work given later sees the result.
struct Copy {
  void* to;
  Device to_device;
  StreamId to_stream;
  const void* from;
  Device from_device;
  StreamId from_stream;
  std::size_t bytes;
  // The host side is pinned and the caller does not wait: it must keep and not write the memory.
  bool is_asynchronous = false;
};

// A point in a stream's work.
class Event {
 public:
  virtual ~Event() = default;
  virtual bool is_done() const = 0;
  // Waits on the host. Throws CommunicationError at the backend's deadline.
  virtual void synchronize() = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;
  virtual int device_count() const = 0;
  virtual DeviceProperties properties(DeviceIndex device) const = 0;
  virtual MemoryInfo memory(DeviceIndex device) const = 0;

  // Memory for use on `stream`. Throws OutOfMemoryError.
  virtual void* allocate(StreamId stream, std::size_t bytes) = 0;
  // Work already given to the memory's stream may still use it.
  virtual void release(DeviceIndex device, void* data) noexcept = 0;
  // Host memory that devices copy from and to without a stop on the way.
  virtual void* allocate_pinned(std::size_t bytes) = 0;
  virtual void release_pinned(void* data) noexcept = 0;

  virtual void launch(StreamId stream, const Launch& launch) = 0;
  virtual void copy(const Copy& copy) = 0;

  virtual StreamId new_stream(DeviceIndex device) = 0;
  // What the device's own libraries call this stream; null where it has none.
  virtual void* native_handle(StreamId) { return nullptr; }
  virtual std::shared_ptr<Event> record(StreamId stream) = 0;
  // Later work on `stream` waits for the event.
  virtual void wait(StreamId stream, const std::shared_ptr<Event>& event) = 0;
  virtual void synchronize(StreamId stream) = 0;
  virtual void synchronize_device(DeviceIndex device) = 0;
};

// "CUDA error: {text}" with the lines that PyTorch adds.
std::string cuda_error_text(std::string_view text);

// Throws RuleError for a device that is not there: visible-devices, where its number was taken from
// the list CUDA_VISIBLE_DEVICES, which numbers its devices anew; else invalid-device.
[[noreturn]] void refuse_device(DeviceIndex device, const std::string& text);

// Refuses, as "invalid device ordinal", a device that the backend does not have.
void check_ordinal(const Backend& backend, DeviceIndex device);

// "20.00 MiB", as PyTorch's allocator prints sizes.
std::string memory_text(std::int64_t bytes);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_BACKEND_H_
