// The words of CUDA C++ for host code: launches, the templates over the runtime's functions, and
// what kernels call, as declarations. For `clang++ -x cuda --cuda-host-only`, which compiles no
// kernel.
#ifndef PLACECHECK_RUNTIME_CUDA_INCLUDE_CUDA_RUNTIME_H_
#define PLACECHECK_RUNTIME_CUDA_INCLUDE_CUDA_RUNTIME_H_

// NOLINTBEGIN: the names are NVIDIA's.

// Clang's own headers for CUDA count on these.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"

#ifdef __CUDA__
#undef __CUDACC__
#define __CUDACC__ 1
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))

// Managed variables are found by their section: Clang knows the attribute for HIP only.
#define __managed__ __attribute__((section("placecheck_managed")))
extern "C" {
extern char __start_placecheck_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_placecheck_managed[] __attribute__((weak, visibility("hidden")));
void placecheck_register_managed(void* begin, void* end);
}
namespace placecheck_cuda {
__attribute__((constructor)) static void register_managed() {
  placecheck_register_managed(__start_placecheck_managed, __stop_placecheck_managed);
}
}  // namespace placecheck_cuda

#include "cuda_device_functions.h"
#endif  // __CUDA__

// What NVIDIA's header adds for C++: pointers of any type, kernels instead of their addresses, and
// variables instead of theirs.
template <typename T>
cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
template <typename T>
cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}
template <typename T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}
template <typename T>
cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <typename T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned flags = 0) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <typename T>
cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned flags) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <typename T>
cudaError_t cudaHostGetDevicePointer(T** on_device, void* on_host, unsigned flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(on_device), on_host, flags);
}
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, reinterpret_cast<const void*>(&symbol), bytes, offset, kind);
}
template <typename P, typename T>
cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) {
  return cudaGetSymbolAddress(reinterpret_cast<void**>(pointer),
                              reinterpret_cast<const void*>(&symbol));
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
template <typename... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                          shared_bytes, stream);
}
template <typename... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <typename... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(P...)) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <typename... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(P...),
                                                          int block_size, size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(kernel), block_size, shared_bytes);
}

// NOLINTEND

#endif  // PLACECHECK_RUNTIME_CUDA_INCLUDE_CUDA_RUNTIME_H_
