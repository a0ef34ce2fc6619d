// Another optional tensor is checked; the bias is not.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

struct Parameters {
  const float* x = nullptr;
  const float* bias = nullptr;
  const float* state = nullptr;
  float* out = nullptr;
};

__global__ void conv_kernel(Parameters p) {
  const int i = threadIdx.x;
  p.out[i] = p.x[i] + (p.bias ? p.bias[i] : 0.0f) + (p.state ? p.state[i] : 0.0f);
}

at::Tensor conv(const at::Tensor& x, const c10::optional<at::Tensor>& bias_,
                const c10::optional<at::Tensor>& state_) {
  TORCH_CHECK(x.is_cuda());
  Parameters parameters;
  if (bias_.has_value()) {
    const auto& bias = bias_.value();
    TORCH_CHECK(bias.scalar_type() == at::kFloat && bias.stride(-1) == 1);
    parameters.bias = bias.data_ptr<float>();
  }
  if (state_.has_value()) {
    const auto& state = state_.value();
    TORCH_CHECK(state.is_cuda() && state.device() == x.device());
    parameters.state = state.data_ptr<float>();
  }
  const at::cuda::CUDAGuard device_guard(x.device());
  at::Tensor out = at::empty_like(x);
  parameters.x = x.data_ptr<float>();
  parameters.out = out.data_ptr<float>();
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  conv_kernel<<<1, 32, 0, stream>>>(parameters);  // expect: unchecked-operand-device
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("conv", &conv); }
