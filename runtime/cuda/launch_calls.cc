// Launches: what a kernel is given is judged, the kernel is not executed. And what compilers call
// to announce kernels and variables.
#include <optional>
#include <utility>
#include <vector>

#include "runtime/cuda/devices.h"
#include "runtime/cuda/errors.h"
#include "runtime/cuda/execution.h"
#include "runtime/cuda/handles.h"
#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/cuda/kernels.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/symbols.h"
#include "runtime/cuda/witness.h"

using placecheck::cuda::finish;

namespace placecheck::cuda {
namespace {

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

thread_local std::vector<Configuration> configurations;
// A kernel's stand-in on the host has asked for its configuration, and calls the runtime next.
thread_local bool is_in_stub = false;

constexpr unsigned kMostThreads = 1024;

bool is_lawful(dim3 grid, dim3 block) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return false;
  const unsigned threads = block.x * block.y * block.z;
  return threads > 0 && threads <= kMostThreads;
}

cudaError_t check(const std::optional<Kernel>& kernel, dim3 grid, dim3 block, cudaStream_t stream) {
  if (device_count() == 0) return cudaErrorNoDevice;
  if (!is_lawful(grid, block)) return cudaErrorInvalidConfiguration;
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  const auto made = device_of(stream);
  const bool fits = made && judge_handle("stream", *made, current_device(), kernel->name);
  return fits ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t launch(const void* function, dim3 grid, dim3 block, void** arguments,
                   cudaStream_t stream, const void* caller) {
  const HiddenFrame hidden(std::exchange(is_in_stub, false) ? caller : nullptr);
  const auto kernel = kernel_of(function);
  const cudaError_t result = finish(check(kernel, grid, block, stream));
  if (result != cudaSuccess || !kernel) return result;
  // The launch itself succeeds; whatever comes after the kernel has failed reports it.
  if (!judge_arguments(*kernel, arguments)) leave_unusable(cudaErrorIllegalAddress);
  note_unexecuted(kernel->name);
  return result;
}

}  // namespace
}  // namespace placecheck::cuda

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t /*shared_bytes*/, cudaStream_t stream) {
  return placecheck::cuda::launch(function, grid, block, arguments, stream,
                                  __builtin_return_address(0));
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t /*shared_bytes*/,
                                        cudaStream_t stream) {
  return placecheck::cuda::launch(function, grid, block, arguments, stream,
                                  __builtin_return_address(0));
}

cudaError_t cudaFuncSetAttribute(const void* /*function*/, cudaFuncAttribute /*attribute*/,
                                 int /*value*/) {
  return finish(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void* /*function*/, cudaFuncCache /*config*/) {
  return finish(cudaSuccess);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  if (!placecheck::cuda::kernel_of(function)) return finish(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->maxThreadsPerBlock = placecheck::cuda::kMostThreads;
  return finish(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* /*function*/,
                                                          int block_size, size_t /*shared_bytes*/) {
  if (block_size <= 0) return finish(cudaErrorInvalidValue);
  *blocks = block_size > 1024 ? 0 : 2048 / block_size;
  return finish(cudaSuccess);
}

// NOLINTBEGIN(bugprone-reserved-identifier): the names are what compilers call.

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream) {
  placecheck::cuda::configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}

extern "C" {

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
  auto& configurations = placecheck::cuda::configurations;
  if (configurations.empty()) return finish(cudaErrorUnknown);
  const auto last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared_bytes = last.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  placecheck::cuda::is_in_stub = true;
  return cudaSuccess;
}

// nvcc's launches ask for the kernel's handle first.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t /*shared_bytes*/, cudaStream_t stream) {
  return placecheck::cuda::launch(kernel, grid, block, arguments, stream,
                                  __builtin_return_address(0));
}

void** __cudaRegisterFatBinary(void* /*binary*/) {
  static void* handle = nullptr;
  return &handle;
}

void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}
void __cudaUnregisterFatBinary(void** /*handle*/) {}
char __cudaInitModule(void** /*handle*/) { return 1; }

int __cudaRegisterFunction(void** /*handle*/, const char* function, char* /*on_device*/,
                           const char* name, int /*threads*/, void* /*thread*/, void* /*block*/,
                           void* /*block_size*/, void* /*grid_size*/, int* /*warp*/) {
  placecheck::cuda::add_kernel(function, name);
  return 0;
}

void __cudaRegisterVar(void** /*handle*/, char* symbol, char* /*on_device*/, const char* /*name*/,
                       int /*is_external*/, size_t bytes, int /*is_constant*/, int /*is_global*/) {
  placecheck::cuda::add_symbol(symbol, bytes);
}

// nvcc's managed variables: the program reaches them through a pointer that is set here.
void __cudaRegisterManagedVar(void** /*handle*/, void** pointer, char* /*on_device*/,
                              const char* /*name*/, int /*is_external*/, size_t bytes,
                              int /*is_constant*/, int /*is_global*/) {
  *pointer = placecheck::cuda::allocate(placecheck::cuda::MemoryKind::kManaged, 0, bytes);
}

// Clang's, by the section that our header puts them in.
void placecheck_register_managed(void* begin, void* end) {
  placecheck::cuda::add_managed(
      begin, static_cast<std::size_t>(static_cast<char*>(end) - static_cast<char*>(begin)));
}

}  // extern "C"

// NOLINTEND(bugprone-reserved-identifier)
