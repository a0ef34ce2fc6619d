// A build without CUDA.
#include "runtime/backend/real_cuda.h"

namespace placecheck::runtime {

std::unique_ptr<Backend> make_real_cuda_backend() { return nullptr; }

}  // namespace placecheck::runtime
