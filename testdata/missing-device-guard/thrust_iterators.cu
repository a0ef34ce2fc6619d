// The kernel is given iterators over the tensors' memory.
#include <ATen/cuda/CUDAContext.h>
#include <thrust/iterator/reverse_iterator.h>
#include <torch/extension.h>

template <typename In, typename Out>
__global__ void scan_kernel(In in, Out out, int count) {
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) out[i] = sum += in[i];
}

at::Tensor scan_from_the_end(at::Tensor values) {
  at::Tensor sums = at::empty_like(values);
  const int count = values.size(0);
  scan_kernel<<<1, 1, 0, at::cuda::getCurrentCUDAStream()>>>(  // expect: missing-device-guard
      thrust::make_reverse_iterator(values.data_ptr<float>() + count),
      thrust::make_reverse_iterator(sums.data_ptr<float>() + count), count);
  return sums;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("scan_from_the_end", &scan_from_the_end); }
