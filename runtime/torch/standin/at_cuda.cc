// The functions of at::cuda and at::native that PyTorch's Python bindings call.
#include <ATen/core/Generator.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/StorageImpl.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "runtime/torch/standin/device_properties.h"
#include "runtime/torch/standin/release.h"
#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/generator.h"
#include "runtime/torch/virtual_cuda/memory.h"

struct cudaDeviceProp;
struct cublasContext;

namespace at::cuda {

namespace virtual_cuda = placecheck::virtual_cuda;

cudaDeviceProp* getDeviceProperties(c10::DeviceIndex index) {
  const c10::Device device = virtual_cuda::resolve(c10::Device(c10::kCUDA, index));
  const auto& properties = placecheck::standin::device_properties(device.index());
  return reinterpret_cast<cudaDeviceProp*>(
      const_cast<placecheck::standin::DeviceProperties*>(&properties));
}

bool canDeviceAccessPeer(c10::DeviceIndex device, c10::DeviceIndex peer) {
  const c10::DeviceIndex count = virtual_cuda::device_count();
  TORCH_CHECK(device >= 0 && device < count, static_cast<int>(device), " is not available");
  TORCH_CHECK(peer >= 0 && peer < count, static_cast<int>(peer), " is not available");
  return device != peer;
}

// A handle that nothing reads: no cuBLAS routine is called.
cublasContext* getCurrentCUDABlasHandle(bool /*sets_up*/) {
  static char handle = 0;
  return reinterpret_cast<cublasContext*>(&handle);
}
cublasContext* getCurrentCUDABlasHandle() { return getCurrentCUDABlasHandle(true); }

void clearCublasWorkspaces() {}
std::size_t getChosenWorkspaceSize() { return 0; }
void setChosenWorkspaceSize(std::size_t /*bytes*/) {}
void resetChosenWorkspaceSize() {}
std::size_t getCUDABlasLtWorkspaceSize() { return 0; }
void setCUDABlasLtWorkspaceSize(std::size_t /*bytes*/) {}
void resetCUDABlasLtWorkspaceSize() {}

// torch.cuda._sleep(): work is done when it is asked for.
void sleep(std::int64_t /*cycles*/) {}

namespace detail {
const Generator& getDefaultCUDAGenerator(DeviceIndex index) {
  return virtual_cuda::default_generator(index);
}
}  // namespace detail

}  // namespace at::cuda

#if !PLACECHECK_TORCH_AT_LEAST(2, 7)

// at::CUDAGeneratorImpl::CUDAGeneratorImpl(DeviceIndex): what torch.Generator("cuda") calls in 2.6,
// in memory of its own. The device's generator takes the place of the object.
void construct_cuda_generator(void* memory,
                              c10::DeviceIndex index) __asm__("_ZN2at17CUDAGeneratorImplC1Ea");

void construct_cuda_generator(void* memory, c10::DeviceIndex index) {
  placecheck::virtual_cuda::construct_generator(memory, sizeof(at::CUDAGeneratorImpl), index);
}

#endif

namespace at::native {

void resize_bytes_cuda(c10::StorageImpl* storage, std::size_t bytes) {
  TORCH_CHECK(storage->resizable(), "Trying to resize storage that is not resizable");
  const c10::DeviceGuard on_its_device(storage->device());
  c10::DataPtr grown = placecheck::virtual_cuda::device_allocator()->allocate(bytes);
  if (bytes != 0 && storage->data() != nullptr) {
    std::memcpy(grown.get(), storage->data(), std::min(bytes, storage->nbytes()));
  }
  storage->set_data_ptr_noswap(std::move(grown));
  storage->set_nbytes(bytes);
}

void resize_bytes_cuda_with_addr(c10::StorageImpl* storage, std::size_t bytes, void* /*address*/) {
  resize_bytes_cuda(storage, bytes);
}

void _cudnn_clear_dropout_state() {}

}  // namespace at::native

namespace at::detail {

TensorBase empty_strided_cuda(IntArrayRef size, IntArrayRef stride, ScalarType dtype,
                              std::optional<Device> device) {
  return at::empty_strided(size, stride,
                           TensorOptions().dtype(dtype).device(device.value_or(Device(kCUDA))));
}

}  // namespace at::detail

// What torch.backends.cuda asks: attention runs the CPU's kernels, so none of CUDA's can be used.
namespace sdp {
struct sdp_params;
bool is_flash_attention_available() { return false; }
bool is_cudnn_attention_decode_disabled() { return false; }
bool can_use_flash_attention(const sdp_params& /*params*/, bool /*explains*/) { return false; }
bool can_use_mem_efficient_attention(const sdp_params& /*params*/, bool /*explains*/) {
  return false;
}
bool can_use_cudnn_attention(const sdp_params& /*params*/, bool /*explains*/) { return false; }
}  // namespace sdp

namespace torch {
// Memory that other processes have shared: there is none to collect.
bool CudaIPCCollect() { return true; }
}  // namespace torch

namespace torch::jit::tensorexpr {
struct CudaCodeGen {
  static void Initialize();
};
// Registers a code generator for fused graphs: TorchScript runs without one.
void CudaCodeGen::Initialize() {}
}  // namespace torch::jit::tensorexpr
