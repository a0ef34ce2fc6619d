// The library that was below torch before version 1.11.
#include <ATen/ATen.h>
#include <THC/THC.h>
#include <torch/extension.h>

THCState* state = at::globalContext().lazyInitCUDA();

__global__ void scale_kernel(const float* input, float* output, float factor) {
  output[threadIdx.x] = input[threadIdx.x] * factor;
}

at::Tensor scale(at::Tensor input, double factor) {
  THArgCheck(input.is_contiguous(), 1, "input has to be contiguous");
  at::Tensor output = at::empty_like(input);
  scale_kernel<<<1, 32, 0, THCState_getCurrentStream(state)>>>(  // expect: missing-device-guard
      input.data_ptr<float>(), output.data_ptr<float>(), factor);
  THCudaCheck(cudaGetLastError());
  return output;
}

at::Tensor multiply(at::Tensor a, at::Tensor b) {
  at::Tensor out = at::empty({a.size(0), b.size(1)}, a.options());
  THCudaBlas_Sgemm(state, 'n', 'n', b.size(1), a.size(0), a.size(1), 1.0f,  // expect: missing-device-guard
                   b.data_ptr<float>(), b.size(1), a.data_ptr<float>(), a.size(1), 0.0f,
                   out.data_ptr<float>(), out.size(1));
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("scale", &scale, "scale (CUDA)");
  m.def("multiply", &multiply, "multiply (CUDA)");
}
