// Pointers and views of tensors, as extensions for older versions of torch take them.
#include <torch/torch.h>

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/detail/IndexUtils.cuh>
#include <ATen/cuda/detail/TensorInfo.cuh>

#define CHECK_CUDA(x) AT_ASSERTM(x.type().is_cuda(), #x " must be a CUDA tensor")

template <typename scalar_t>
__global__ void scale_kernel(const scalar_t* input, scalar_t* output, scalar_t factor) {
  output[threadIdx.x] = input[threadIdx.x] * factor;
}

template <typename scalar_t>
__global__ void fill_kernel(at::cuda::detail::TensorInfo<scalar_t, int64_t> output) {
  output.data[threadIdx.x] = 1;
}

at::Tensor scale(at::Tensor input, double factor) {
  CHECK_CUDA(input);
  at::Tensor output = at::empty_like(input);
  AT_DISPATCH_FLOATING_TYPES(input.type(), "scale", [&] {
    scale_kernel<scalar_t><<<1, 32>>>(  // expect: missing-device-guard default-stream-launch
        input.contiguous().data<scalar_t>(), output.data<scalar_t>(),
        static_cast<scalar_t>(factor));
  });
  return output;
}

void fill(at::Tensor output) {
  CHECK_CUDA(output);
  AT_DISPATCH_FLOATING_TYPES(output.type(), "fill", [&] {
    fill_kernel<scalar_t><<<1, 32>>>(  // expect: missing-device-guard default-stream-launch
        at::cuda::detail::getTensorInfo<scalar_t, int64_t>(output));
  });
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("scale", &scale, "scale (CUDA)");
  m.def("fill", &fill, "fill (CUDA)");
}
