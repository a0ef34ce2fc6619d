// The CPU as a backend: one device, whose work is done when it is given. Freed blocks are kept by
// size for the next request, but not under a sanitizer, which must see every use of freed memory.
#ifndef PLACECHECK_RUNTIME_BACKEND_HOST_HOST_BACKEND_H_
#define PLACECHECK_RUNTIME_BACKEND_HOST_HOST_BACKEND_H_

#include <memory>

#include "runtime/backend/backend.h"

namespace placecheck::runtime {

std::unique_ptr<Backend> make_host_backend();

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_HOST_HOST_BACKEND_H_
