// A helper that is given all tensors compares their devices, in ways that are not followed.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#include <optional>

__global__ void add_kernel(const float* from, float* to) { to[threadIdx.x] += from[threadIdx.x]; }

std::optional<int64_t> index_of(const at::Tensor& tensor) {
  return tensor.defined() ? std::optional<int64_t>(tensor.get_device()) : std::nullopt;
}

template <typename... Tensors>
bool are_on_one_device(const Tensors&... tensors) {
  std::optional<int64_t> device;
  bool are_alike = true;
  (
      [&](const auto& tensor) {
        const std::optional<int64_t> index = index_of(tensor);
        if (!device) device = index;
        if (index && *device != index) are_alike = false;
      }(tensors),
      ...);
  return are_alike;
}

void add(at::Tensor from, at::Tensor to, at::Tensor order) {
  TORCH_CHECK(are_on_one_device(from, to, order), "the tensors must be on one device");
  at::cuda::OptionalCUDAGuard guard;
  guard.set_index(order.get_device());
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  add_kernel<<<1, 32, 0, stream>>>(from.data_ptr<float>(), to.data_ptr<float>());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("add", &add); }
