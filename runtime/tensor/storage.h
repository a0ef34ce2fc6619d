// The bytes behind tensors: one block on one device, owned, shared by all views of it.
#ifndef PLACECHECK_RUNTIME_TENSOR_STORAGE_H_
#define PLACECHECK_RUNTIME_TENSOR_STORAGE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/backend/backend.h"
#include "runtime/core/device.h"

namespace placecheck::runtime {

class Storage {
 public:
  // `device` has an index. Throws OutOfMemoryError.
  Storage(const Device& device, std::size_t bytes, bool is_pinned = false);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  const Device& device() const { return device_; }
  std::size_t bytes() const { return bytes_; }
  bool is_pinned() const { return is_pinned_; }
  std::byte* data() const { return static_cast<std::byte*>(data_); }

  // How often a view of it was written in place.
  std::uint32_t version() const { return version_.load(std::memory_order_relaxed); }
  void bump_version() { version_.fetch_add(1, std::memory_order_relaxed); }

 private:
  Device device_;
  std::size_t bytes_;
  bool is_pinned_;
  Backend* backend_;
  void* data_;
  std::atomic<std::uint32_t> version_{0};
};

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_TENSOR_STORAGE_H_
