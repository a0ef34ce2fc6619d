// Kernels that take their pointers in a record, and accessors.
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

struct RowParams {
  const float* input;
  float* output;
  int width;
};

__global__ void row_kernel(RowParams params) {
  int i = blockIdx.x * params.width + threadIdx.x;
  params.output[i] = params.input[i] + 1.0f;
}

__global__ void column_kernel(at::PackedTensorAccessor32<float, 2> values) {
  values[threadIdx.x][blockIdx.x] = 0.0f;
}

void set_params(RowParams& params, const at::Tensor& input, at::Tensor& output) {
  params.input = input.data_ptr<float>();
  params.output = output.data_ptr<float>();
  params.width = static_cast<int>(input.size(1));
}

void add_to_rows(at::Tensor input, at::Tensor output) {
  TORCH_CHECK(input.is_cuda() && output.is_cuda());
  RowParams params;
  set_params(params, input, output);
  row_kernel<<<input.size(0), 32, 0, at::cuda::getCurrentCUDAStream()>>>(params);  // expect: missing-device-guard
}

void clear_columns(at::Tensor values) {
  column_kernel<<<values.size(1), 32, 0, at::cuda::getCurrentCUDAStream()>>>(  // expect: missing-device-guard
      values.packed_accessor32<float, 2>());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("add_to_rows", &add_to_rows);
  m.def("clear_columns", &clear_columns);
}
