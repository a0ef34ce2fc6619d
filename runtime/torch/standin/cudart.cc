// The functions of the CUDA runtime that PyTorch's bindings call and //runtime/cuda does not serve.
#include <cuda_runtime_api.h>

extern "C" {

cudaError_t cudaStreamIsCapturing(cudaStream_t /*stream*/, cudaStreamCaptureStatus* status) {
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t /*stream*/, int* priority) {
  *priority = 0;
  return cudaSuccess;
}
}
