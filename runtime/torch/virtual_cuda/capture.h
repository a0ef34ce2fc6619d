// Whether this thread captures a CUDA graph. Graphs themselves are Python's (placecheck/graphs.py),
// which says when a capture begins and ends (runtime/torch/python/capture.cc).
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_CAPTURE_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_CAPTURE_H_

namespace placecheck::virtual_cuda {

inline thread_local bool is_capturing = false;

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_CAPTURE_H_
