// An extension as people compile them: an operator with a kernel for the CPU and one that launches
// on GPUs, and one for GPUs alone. It knows nothing of virtual devices.
#include <ATen/ATen.h>
#include <torch/library.h>

namespace {

at::Tensor doubled(const at::Tensor& tensor, const at::Tensor& weight) {
  return tensor * 2 * weight;
}

at::Tensor launched(const at::Tensor& tensor, const at::Tensor& /*weight*/) {
  return at::empty_like(tensor).fill_(-1);
}

}  // namespace

TORCH_LIBRARY(placecheck_test, library) {
  library.def("both(Tensor tensor, Tensor weight) -> Tensor");
  library.def("gpu_only(Tensor tensor, Tensor weight) -> Tensor");
}

TORCH_LIBRARY_IMPL(placecheck_test, CPU, library) { library.impl("both", &doubled); }

TORCH_LIBRARY_IMPL(placecheck_test, CUDA, library) {
  library.impl("both", &launched);
  library.impl("gpu_only", &launched);
}
