// The functions of the CUDA runtime that PyTorch's bindings call and //runtime/cuda does not serve.
#include <cuda_runtime_api.h>

#include "runtime/cuda/handles.h"

extern "C" {

cudaError_t cudaStreamIsCapturing(cudaStream_t /*stream*/, cudaStreamCaptureStatus* status) {
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  auto& streams = placecheck::cuda::streams();
  *priority = streams.has(stream) ? stream->priority : 0;
  return cudaSuccess;
}
}
