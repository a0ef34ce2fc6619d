#include "runtime/tensor/storage.h"

#include "runtime/backend/devices.h"

namespace placecheck::runtime {

Storage::Storage(const Device& device, std::size_t bytes, bool is_pinned)
    : device_(device),
      bytes_(bytes),
      is_pinned_(is_pinned),
      backend_(is_pinned ? &cuda_backend() : &backend_of(device)),
      data_(is_pinned ? backend_->allocate_pinned(bytes)
                      : backend_->allocate(stream_of(device), bytes)) {}

Storage::~Storage() {
  if (is_pinned_) {
    backend_->release_pinned(data_);
  } else {
    backend_->release(device_.index(), data_);
  }
}

}  // namespace placecheck::runtime
