// Which device has the memory at an address, page by page, for those who can neither lock nor
// allocate: the handlers of signals.
//
// A byte for each page of one range of addresses, in memory of its own that is there only where it
// was written to. Thread-safe; device_at() is async-signal-safe.
#ifndef PLACECHECK_RUNTIME_CUDA_DEVICE_PAGES_H_
#define PLACECHECK_RUNTIME_CUDA_DEVICE_PAGES_H_

#include <cstddef>

namespace placecheck::cuda {

// Of this machine, in bytes. Async-signal-safe after the first call.
std::size_t page_size();

class DevicePages {
 public:
  static constexpr int kNone = -1;

  // Once, before all else; false where the process may not have the memory for it.
  bool cover(const char* begin, std::size_t bytes);

  // All pages from `begin`, which is a page's first address, to `bytes` further on.
  void set(const char* begin, std::size_t bytes, int device);
  void clear(const char* begin, std::size_t bytes) { set(begin, bytes, kNone); }

  // kNone for what is no device's, and outside the range.
  int device_at(const void* address) const noexcept;

 private:
  const char* begin_ = nullptr;
  std::size_t pages_ = 0;
  unsigned char* numbers_ = nullptr;  // of devices, from 1 on; 0 where there is none
};

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_DEVICE_PAGES_H_
