// Streams, events and library handles: opaque to the program, each of one device. Thread-safe as
// far as CUDA's are: a handle is not destroyed while another thread uses it.
#ifndef PLACECHECK_RUNTIME_CUDA_HANDLES_H_
#define PLACECHECK_RUNTIME_CUDA_HANDLES_H_

#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "runtime/cuda/include/cuda_runtime_api.h"

struct CUstream_st {
  int device = 0;
  int priority = 0;
};

struct CUevent_st {
  int device = 0;
  bool is_recorded = false;
};

namespace placecheck::cuda {

// Those that live; the others' addresses may be anything's.
template <typename T>
class Handles {
 public:
  T* make(T value) {
    auto handle = std::make_unique<T>(std::move(value));
    std::lock_guard<std::mutex> lock(mutex_);
    return *handles_.insert(handle.release()).first;
  }

  bool has(T* handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    return handles_.contains(handle);
  }

  bool destroy(T* handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (handles_.erase(handle) == 0) return false;
    delete handle;
    return true;
  }

 private:
  std::mutex mutex_;
  std::set<T*> handles_;
};

Handles<CUstream_st>& streams();
Handles<CUevent_st>& events();

// The device of a stream: for a default one the current device; none where there is no such stream.
std::optional<int> device_of(cudaStream_t stream);

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_HANDLES_H_
