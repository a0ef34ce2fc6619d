// cudaMemcpy, cudaMemset and their like: bytes are moved when the call is made.
#include <cstring>
#include <string_view>

#include "rules/cuda_memcpy_kind.h"
#include "runtime/cuda/devices.h"
#include "runtime/cuda/errors.h"
#include "runtime/cuda/handles.h"
#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/symbols.h"
#include "runtime/cuda/witness.h"

using placecheck::cuda::finish;
using Direction = placecheck::rules::cuda_memcpy_kind::Direction;

namespace placecheck::cuda {
namespace {

struct Rows {
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t to_pitch = 0;
  std::size_t from_pitch = 0;
};

// Bytes from the first to behind the last.
std::size_t extent(std::size_t pitch, const Rows& rows) {
  return (rows.height - 1) * pitch + rows.width;
}

cudaError_t copy(void* to, const void* from, const Rows& rows, Direction direction,
                 std::string_view operation) {
  if (rows.width == 0 || rows.height == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
  if (direction > Direction::kDefault) return cudaErrorInvalidMemcpyDirection;
  if (!judge_copy(to, from, direction, operation)) return cudaErrorInvalidValue;
  char* target = accessible(to, extent(rows.to_pitch, rows));
  const char* source = accessible(const_cast<void*>(from), extent(rows.from_pitch, rows));
  if (target == nullptr || source == nullptr) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < rows.height; ++i) {
    std::memmove(target + i * rows.to_pitch, source + i * rows.from_pitch, rows.width);
  }
  return cudaSuccess;
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                 std::string_view operation) {
  return copy(to, from, {.width = bytes}, static_cast<Direction>(kind), operation);
}

cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, cudaMemcpyKind kind,
                      std::string_view operation) {
  if (width > to_pitch || width > from_pitch) return cudaErrorInvalidValue;
  const Rows rows{width, height, to_pitch, from_pitch};
  return copy(to, from, rows, static_cast<Direction>(kind), operation);
}

cudaError_t copy_between(void* to, int to_device, const void* from, int from_device,
                         std::size_t bytes, std::string_view operation) {
  if (!is_device(to_device) || !is_device(from_device)) return cudaErrorInvalidDevice;
  if (bytes != 0 && !judge_copy_between(to, to_device, from, from_device, operation)) {
    return cudaErrorInvalidValue;
  }
  return copy(to, from, bytes, cudaMemcpyDeviceToDevice, operation);
}

// A set runs on the memory's own device, whichever is current.
cudaError_t set(void* memory, std::size_t pitch, int value, const Rows& rows,
                std::string_view operation) {
  if (rows.width == 0 || rows.height == 0) return cudaSuccess;
  if (memory == nullptr) return cudaErrorInvalidValue;
  const Memory known = memory_at(memory);
  const int device = known.kind == MemoryKind::kDevice ? known.device : current_device();
  if (!judge_use(memory, device, operation)) return cudaErrorInvalidValue;
  char* target = accessible(memory, extent(pitch, rows));
  if (target == nullptr) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < rows.height; ++i) {
    std::memset(target + i * pitch, value, rows.width);
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace placecheck::cuda

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return finish(placecheck::cuda::copy(to, from, bytes, kind, __func__));
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (!placecheck::cuda::device_of(stream)) return finish(cudaErrorInvalidResourceHandle);
  return finish(placecheck::cuda::copy(to, from, bytes, kind, __func__));
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return finish(
      placecheck::cuda::copy_rows(to, to_pitch, from, from_pitch, width, height, kind, __func__));
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (!placecheck::cuda::device_of(stream)) return finish(cudaErrorInvalidResourceHandle);
  return finish(
      placecheck::cuda::copy_rows(to, to_pitch, from, from_pitch, width, height, kind, __func__));
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
  return finish(placecheck::cuda::copy_between(to, to_device, from, from_device, bytes, __func__));
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  if (!placecheck::cuda::device_of(stream)) return finish(cudaErrorInvalidResourceHandle);
  return finish(placecheck::cuda::copy_between(to, to_device, from, from_device, bytes, __func__));
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  char* memory = placecheck::cuda::memory_of_symbol(symbol);
  if (memory == nullptr) return finish(cudaErrorInvalidSymbol);
  return finish(placecheck::cuda::copy(memory + offset, from, bytes, kind, __func__));
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  char* memory = placecheck::cuda::memory_of_symbol(symbol);
  if (memory == nullptr) return finish(cudaErrorInvalidSymbol);
  return finish(placecheck::cuda::copy(to, memory + offset, bytes, kind, __func__));
}

cudaError_t cudaMemset(void* memory, int value, size_t bytes) {
  return finish(placecheck::cuda::set(memory, 0, value, {.width = bytes}, __func__));
}

cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  if (!placecheck::cuda::device_of(stream)) return finish(cudaErrorInvalidResourceHandle);
  return finish(placecheck::cuda::set(memory, 0, value, {.width = bytes}, __func__));
}

cudaError_t cudaMemset2D(void* memory, size_t pitch, int value, size_t width, size_t height) {
  return finish(
      placecheck::cuda::set(memory, pitch, value, {.width = width, .height = height}, __func__));
}

cudaError_t cudaMemset2DAsync(void* memory, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  if (!placecheck::cuda::device_of(stream)) return finish(cudaErrorInvalidResourceHandle);
  return finish(
      placecheck::cuda::set(memory, pitch, value, {.width = width, .height = height}, __func__));
}
