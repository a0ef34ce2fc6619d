// N virtual GPUs in host memory. Kernels run on the threads of streams; a kernel that touches
// memory of another device, or of the host, is an illegal access, as on a card.
//
// Ownership: streams and memory die with the backend, which must outlive all tensors on its
// devices. Threads: as backend.h. Errors: also OutOfMemoryError with the text of PyTorch's
// allocator.
#ifndef PLACECHECK_RUNTIME_BACKEND_VIRTUAL_VIRTUAL_BACKEND_H_
#define PLACECHECK_RUNTIME_BACKEND_VIRTUAL_VIRTUAL_BACKEND_H_

#include <memory>

#include "runtime/backend/backend.h"
#include "runtime/backend/virtual/virtual_options.h"

namespace placecheck::runtime {

// CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER are read now, and never again.
std::unique_ptr<Backend> make_virtual_backend(const VirtualOptions& options);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_VIRTUAL_VIRTUAL_BACKEND_H_
