// An operator that checks its operands itself.
#include <torch/torch.h>

torch::Tensor scale(const torch::Tensor& x, const torch::Tensor& w) {
  TORCH_CHECK(x.device() == w.device(), "operands on ",  // expect: failed-placement-check
              x.device(), " and ", w.device());
  return x * w;
}

int main() {
  auto w = torch::rand({4}, torch::kCUDA);
  auto x = torch::rand({4});
  auto y = scale(x, w);
}
