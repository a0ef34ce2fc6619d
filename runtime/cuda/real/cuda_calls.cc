// The calls of the CUDA runtime that give pointers, streams, events and numbers of devices to it:
// each is judged, then forwarded, whatever the judgement: what it returns is CUDA's. Calls that are
// not here go to CUDA directly.
#include <string_view>

#include "rules/cuda_memcpy_kind.h"
#include "rules/cuda_pointer_placement.h"
#include "runtime/cuda/devices.h"
#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/cuda/kernels.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/real/handles.h"
#include "runtime/cuda/real/libraries.h"
#include "runtime/cuda/witness.h"

namespace placecheck::cuda {
namespace {

using Direction = rules::cuda_memcpy_kind::Direction;
using User = rules::cuda_pointer_placement::User;

void judge_copy_of(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                   std::string_view operation) {
  const auto direction = static_cast<Direction>(kind);
  if (is_inside_call() || direction > Direction::kDefault) return;
  if (bytes == 0 || to == nullptr || from == nullptr) return;
  judge_copy(to, from, direction, operation);
}

void judge_copy_of_devices(void* to, int to_device, const void* from, int from_device,
                           std::size_t bytes, std::string_view operation) {
  judge_copy_of(to, from, bytes, cudaMemcpyDeviceToDevice, operation);
  if (is_inside_call() || bytes == 0 || to == nullptr || from == nullptr) return;
  judge_copy_between(to, to_device, from, from_device, operation);
}

// A set runs on the memory's own device, whichever is current.
void judge_set(void* memory, std::size_t bytes, std::string_view operation) {
  if (is_inside_call() || bytes == 0 || memory == nullptr) return;
  const Memory known = memory_at(memory);
  judge_use(memory, known.kind == MemoryKind::kDevice ? known.device : current_device(), operation);
}

// What was given back before is not told from what never was.
void judge_release_of(void* memory, User user, std::string_view operation) {
  if (is_inside_call() || memory == nullptr) return;
  if (memory_at(memory).kind == MemoryKind::kNowhere) return;
  judge_release(memory, user, operation);
}

template <typename Handle>
cudaError_t remember_made(cudaError_t error, const Handle* handle) {
  if (error == cudaSuccess) remember_handle(*handle, current_device());
  return error;
}

void judge_launch(const void* function, void** arguments, cudaStream_t stream) {
  const auto kernel = kernel_of(function);
  if (is_inside_call() || !kernel) return;
  judge_stream(stream, kernel->name.c_str());
  judge_arguments(*kernel, arguments);
}

void judge_event(cudaEvent_t event, cudaStream_t stream) {
  const auto made = device_of_handle(event);
  const auto of_stream = device_of_handle(stream);
  if (is_inside_call() || !made || (stream != nullptr && !of_stream)) return;
  judge_handle("event", *made, of_stream.value_or(current_device()), "cudaEventRecord");
}

cudaError_t remember_peer(cudaError_t error, int peer, bool is_enabled) {
  if (error == cudaSuccess) set_reach(current_device(), peer, is_enabled);
  return error;
}

}  // namespace
}  // namespace placecheck::cuda

namespace cuda = placecheck::cuda;
using User = placecheck::rules::cuda_pointer_placement::User;

cudaError_t cudaSetDevice(int device) {
  if (!cuda::is_inside_call()) cuda::judge_index(device, __func__);
  return PLACECHECK_REAL(cudaSetDevice)(device);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return cuda::remember_peer(PLACECHECK_REAL(cudaDeviceEnablePeerAccess)(peer, flags), peer, true);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return cuda::remember_peer(PLACECHECK_REAL(cudaDeviceDisablePeerAccess)(peer), peer, false);
}

cudaError_t cudaFree(void* memory) {
  cuda::judge_release_of(memory, User::kDeviceRelease, __func__);
  return PLACECHECK_REAL(cudaFree)(memory);
}

cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  cuda::judge_release_of(memory, User::kDeviceRelease, __func__);
  return PLACECHECK_REAL(cudaFreeAsync)(memory, stream);
}

cudaError_t cudaFreeHost(void* memory) {
  cuda::judge_release_of(memory, User::kPinnedRelease, __func__);
  return PLACECHECK_REAL(cudaFreeHost)(memory);
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  cuda::judge_copy_of(to, from, bytes, kind, __func__);
  return PLACECHECK_REAL(cudaMemcpy)(to, from, bytes, kind);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  cuda::judge_copy_of(to, from, bytes, kind, __func__);
  return PLACECHECK_REAL(cudaMemcpyAsync)(to, from, bytes, kind, stream);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  cuda::judge_copy_of(to, from, width * height, kind, __func__);
  return PLACECHECK_REAL(cudaMemcpy2D)(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  cuda::judge_copy_of(to, from, width * height, kind, __func__);
  return PLACECHECK_REAL(cudaMemcpy2DAsync)(to, to_pitch, from, from_pitch, width, height, kind,
                                            stream);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
  cuda::judge_copy_of_devices(to, to_device, from, from_device, bytes, __func__);
  return PLACECHECK_REAL(cudaMemcpyPeer)(to, to_device, from, from_device, bytes);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  cuda::judge_copy_of_devices(to, to_device, from, from_device, bytes, __func__);
  return PLACECHECK_REAL(cudaMemcpyPeerAsync)(to, to_device, from, from_device, bytes, stream);
}

cudaError_t cudaMemset(void* memory, int value, size_t bytes) {
  cuda::judge_set(memory, bytes, __func__);
  return PLACECHECK_REAL(cudaMemset)(memory, value, bytes);
}

cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  cuda::judge_set(memory, bytes, __func__);
  return PLACECHECK_REAL(cudaMemsetAsync)(memory, value, bytes, stream);
}

cudaError_t cudaMemset2D(void* memory, size_t pitch, int value, size_t width, size_t height) {
  cuda::judge_set(memory, width * height, __func__);
  return PLACECHECK_REAL(cudaMemset2D)(memory, pitch, value, width, height);
}

cudaError_t cudaMemset2DAsync(void* memory, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  cuda::judge_set(memory, width * height, __func__);
  return PLACECHECK_REAL(cudaMemset2DAsync)(memory, pitch, value, width, height, stream);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cuda::remember_made(PLACECHECK_REAL(cudaStreamCreate)(stream), stream);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cuda::remember_made(PLACECHECK_REAL(cudaStreamCreateWithFlags)(stream, flags), stream);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return cuda::remember_made(PLACECHECK_REAL(cudaStreamCreateWithPriority)(stream, flags, priority),
                             stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  cuda::forget_handle(stream);
  return PLACECHECK_REAL(cudaStreamDestroy)(stream);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cuda::remember_made(PLACECHECK_REAL(cudaEventCreate)(event), event);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return cuda::remember_made(PLACECHECK_REAL(cudaEventCreateWithFlags)(event, flags), event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  cuda::forget_handle(event);
  return PLACECHECK_REAL(cudaEventDestroy)(event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  cuda::judge_event(event, stream);
  return PLACECHECK_REAL(cudaEventRecord)(event, stream);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  cuda::judge_event(event, stream);
  return PLACECHECK_REAL(cudaEventRecordWithFlags)(event, stream, flags);
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  cuda::judge_launch(function, arguments, stream);
  return PLACECHECK_REAL(cudaLaunchKernel)(function, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  cuda::judge_launch(function, arguments, stream);
  return PLACECHECK_REAL(cudaLaunchCooperativeKernel)(function, grid, block, arguments,
                                                      shared_bytes, stream);
}

// NOLINTBEGIN(bugprone-reserved-identifier): the names are what compilers call.

extern "C" {

int __cudaRegisterFunction(void** handle, const char* function, char* on_device, const char* name,
                           int threads, void* thread, void* block, void* block_size,
                           void* grid_size, int* warp) {
  cuda::add_kernel(function, name);
  return PLACECHECK_REAL(__cudaRegisterFunction)(handle, function, on_device, name, threads, thread,
                                                 block, block_size, grid_size, warp);
}

// nvcc's launches of CUDA 13 ask for the kernel's handle first.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  const cudaError_t error = PLACECHECK_REAL(__cudaGetKernel)(kernel, function);
  if (error == cudaSuccess) cuda::add_alias(*kernel, function);
  return error;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  cuda::judge_launch(kernel, arguments, stream);
  return PLACECHECK_REAL(__cudaLaunchKernel)(kernel, grid, block, arguments, shared_bytes, stream);
}

}  // extern "C"

// NOLINTEND(bugprone-reserved-identifier)
