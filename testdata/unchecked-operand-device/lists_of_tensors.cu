// Two of three lists are checked, element by element.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#include <vector>

struct Pointers {
  float* parameter = nullptr;
  const float* gradient = nullptr;
  float* momentum = nullptr;
};

__global__ void step_kernel(Pointers p, float rate) {
  const int i = threadIdx.x;
  p.momentum[i] = 0.9f * p.momentum[i] + p.gradient[i];
  p.parameter[i] -= rate * p.momentum[i];
}

void check_all(const std::vector<at::Tensor>& tensors, const at::Device& device) {
  for (const at::Tensor& each : tensors) TORCH_CHECK(each.device() == device, "not on ", device);
}

void step(std::vector<at::Tensor> parameters, std::vector<at::Tensor> gradients,
          std::vector<at::Tensor> momenta, double rate) {
  if (parameters.empty()) return;
  const at::Device device = parameters[0].device();
  check_all(parameters, device);
  check_all(gradients, device);
  const at::cuda::CUDAGuard device_guard(device);
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  for (size_t i = 0; i < parameters.size(); ++i) {
    Pointers pointers{parameters[i].data_ptr<float>(), gradients[i].data_ptr<float>(),
                      momenta[i].data_ptr<float>()};
    step_kernel<<<1, 32, 0, stream>>>(pointers, rate);  // expect: unchecked-operand-device
  }
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("step", &step); }
