// What extensions with PyTorch's stable interface call of CUDA (torch/csrc/stable/c/shim.h):
// functions of C, which return 0 or 1 and throw nothing.
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>

namespace {

constexpr std::int32_t kSuccess = 0;
constexpr std::int32_t kFailure = 1;

template <typename Work>
std::int32_t result_of(Work work) {
  try {
    work();
    return kSuccess;
  } catch (const std::exception& error) {
    TORCH_WARN(error.what());
    return kFailure;
  }
}

c10::DeviceIndex index_of(std::int32_t device) { return static_cast<c10::DeviceIndex>(device); }

c10::cuda::CUDAStream stream_of(void* stream, std::int32_t device) {
  if (stream == nullptr) return c10::cuda::getDefaultCUDAStream(index_of(device));
  return c10::cuda::getStreamFromExternal(static_cast<cudaStream_t>(stream), index_of(device));
}

}  // namespace

extern "C" {

std::int32_t torch_c10_cuda_check_msg(std::int32_t code, const char* file, const char* function,
                                      std::uint32_t line, bool has_assertions, char** message) {
  *message = nullptr;
  try {
    c10::cuda::c10_cuda_check_implementation(code, file, function, line, has_assertions);
  } catch (const c10::Error& error) {
    *message = strdup(error.what_without_backtrace());
  }
  return kSuccess;
}

void torch_c10_cuda_free_error_msg(char* message) { std::free(message); }

std::int32_t aoti_torch_get_current_cuda_stream(std::int32_t device, void** stream) {
  return result_of([&] { *stream = c10::cuda::getCurrentCUDAStream(index_of(device)).stream(); });
}

std::int32_t torch_set_current_cuda_stream(void* stream, std::int32_t device) {
  return result_of([&] { c10::cuda::setCurrentCUDAStream(stream_of(stream, device)); });
}

std::int32_t torch_get_cuda_stream_from_pool(bool is_high_priority, std::int32_t device,
                                             void** stream) {
  return result_of(
      [&] { *stream = c10::cuda::getStreamFromPool(is_high_priority, index_of(device)).stream(); });
}

std::int32_t torch_cuda_stream_synchronize(void* stream, std::int32_t device) {
  return result_of([&] { stream_of(stream, device).synchronize(); });
}

std::int32_t aoti_torch_create_cuda_guard(std::int32_t device, c10::cuda::CUDAGuard** guard) {
  return result_of([&] { *guard = new c10::cuda::CUDAGuard(index_of(device)); });
}

std::int32_t aoti_torch_cuda_guard_set_index(c10::cuda::CUDAGuard* guard, std::int32_t device) {
  return result_of([&] { guard->set_index(index_of(device)); });
}

std::int32_t aoti_torch_delete_cuda_guard(c10::cuda::CUDAGuard* guard) {
  return result_of([&] { delete guard; });
}

std::int32_t aoti_torch_create_cuda_stream_guard(void* stream, std::int32_t device,
                                                 c10::cuda::CUDAStreamGuard** guard) {
  return result_of([&] { *guard = new c10::cuda::CUDAStreamGuard(stream_of(stream, device)); });
}

std::int32_t aoti_torch_delete_cuda_stream_guard(c10::cuda::CUDAStreamGuard* guard) {
  return result_of([&] { delete guard; });
}

}  // extern "C"
