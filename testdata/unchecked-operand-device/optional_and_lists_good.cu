// The same, all of them checked: through a reference, in a list that is written out, in a helper.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#include <vector>

struct Pointers {
  float* x = nullptr;
  const float* bias = nullptr;
  const float* scale = nullptr;
};

__global__ void scale_kernel(Pointers p) {
  const int i = threadIdx.x;
  p.x[i] = (p.scale ? p.scale[i] : 1.0f) * p.x[i] + (p.bias ? p.bias[i] : 0.0f);
}

void check_all(const std::vector<at::Tensor>& tensors, const at::Device& device) {
  for (const at::Tensor& each : tensors) TORCH_CHECK(each.device() == device, "not on ", device);
}

void scale(at::Tensor x, const c10::optional<at::Tensor>& bias_, at::Tensor factors) {
  Pointers pointers;
  if (bias_) {
    const at::Tensor& bias = *bias_;
    TORCH_CHECK(bias.get_device() == x.get_device());
    pointers.bias = bias.data_ptr<float>();
  }
  for (const at::Tensor& each : {x, factors}) TORCH_CHECK(each.device() == x.device());
  const at::cuda::CUDAGuard device_guard(x.device());
  pointers.x = x.data_ptr<float>();
  pointers.scale = factors.data_ptr<float>();
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  scale_kernel<<<1, 32, 0, stream>>>(pointers);
}

void scale_all(std::vector<at::Tensor> xs, std::vector<at::Tensor> factors) {
  if (xs.empty()) return;
  check_all(xs, xs[0].device());
  check_all(factors, xs[0].device());
  const at::cuda::CUDAGuard device_guard(xs[0].device());
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  for (size_t i = 0; i < xs.size(); ++i) {
    Pointers pointers;
    pointers.x = xs[i].data_ptr<float>();
    pointers.scale = factors[i].data_ptr<float>();
    scale_kernel<<<1, 32, 0, stream>>>(pointers);
  }
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("scale", &scale);
  m.def("scale_all", &scale_all);
}
