// Whether this thread captures a CUDA graph. Graphs themselves are Python's (placecheck/graphs.py), which
// says when a capture begins and ends.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_CAPTURE_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_CAPTURE_H_

namespace placecheck::virtual_cuda {

bool is_capturing() noexcept;

}  // namespace placecheck::virtual_cuda

extern "C" [[gnu::visibility("default")]] void placecheck_set_capturing(int is_capturing) noexcept;

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_CAPTURE_H_
