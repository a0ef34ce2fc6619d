// The kernel is chosen at run time, and takes a record; some of the tensors are optional.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

struct ConvParams {
  int dim, width;
  void* x_ptr;
  void* bias_ptr;
  void* out_ptr;
};

template <typename T, int kWidth>
__global__ void conv_kernel(ConvParams params) {
  const T* x = reinterpret_cast<const T*>(params.x_ptr);
  T* out = reinterpret_cast<T*>(params.out_ptr);
  out[threadIdx.x] = x[threadIdx.x] * static_cast<T>(kWidth);
}

template <typename T>
void conv_launch(ConvParams& params, cudaStream_t stream) {
  auto kernel = &conv_kernel<T, 2>;
  if (params.width == 4) kernel = &conv_kernel<T, 4>;
  kernel<<<params.dim, 32, 0, stream>>>(params);  // expect: missing-device-guard
}

void check_and_set(ConvParams& params, const at::Tensor& x,
                   const c10::optional<at::Tensor>& bias, at::Tensor& out) {
  TORCH_CHECK(x.is_cuda() && out.is_cuda());
  TORCH_CHECK(x.stride(2) == 1 || x.stride(1) == 1);
  memset(&params, 0, sizeof(params));
  params.dim = static_cast<int>(x.size(1));
  params.x_ptr = x.data_ptr();
  if (bias.has_value()) {
    at::Tensor given = bias.value();
    TORCH_CHECK(given.is_cuda() && given.dim() == 1 && given.size(0) == x.size(1));
    TORCH_CHECK(given.stride(0) == 1 || given.numel() == 1, "bias must be contiguous");
    params.bias_ptr = given.data_ptr();
  } else {
    params.bias_ptr = nullptr;
  }
  params.out_ptr = out.data_ptr();
}

void conv(at::Tensor x, c10::optional<at::Tensor> bias, at::Tensor out) {
  ConvParams params;
  check_and_set(params, x, bias, out);
  auto stream = at::cuda::getCurrentCUDAStream().stream();
  if (x.scalar_type() == at::kFloat) {
    conv_launch<float>(params, stream);
  } else {
    conv_launch<double>(params, stream);
  }
}

void conv_guarded(at::Tensor x, c10::optional<at::Tensor> bias, at::Tensor out) {
  ConvParams params;
  check_and_set(params, x, bias, out);
  at::cuda::CUDAGuard device_guard{x.device()};
  conv_launch<float>(params, at::cuda::getCurrentCUDAStream().stream());
}

void conv_by_address(at::Tensor x, at::Tensor out) {
  TORCH_CHECK(x.is_cuda() && out.is_cuda());
  ConvParams params{1, 2, x.data_ptr(), nullptr, out.data_ptr()};
  void* kernel = reinterpret_cast<void*>(&conv_kernel<float, 2>);
  void* arguments[] = {&params};
  C10_CUDA_CHECK(cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0,  // expect: missing-device-guard
                                  at::cuda::getCurrentCUDAStream()));
}

void fill_optional(c10::optional<at::Tensor> values) {
  if (!values.has_value()) return;
  ConvParams params{1, 2, values->data_ptr(), nullptr, values->data_ptr()};
  conv_kernel<float, 2><<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(params);  // expect: missing-device-guard
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("conv", &conv);
  m.def("conv_guarded", &conv_guarded);
  m.def("conv_by_address", &conv_by_address);
  m.def("fill_optional", &fill_optional);
}
