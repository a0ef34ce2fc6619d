// Checks that hold, and one whose exception is caught.
#include <torch/torch.h>

#include <cassert>
#include <stdexcept>

torch::Tensor scale(const torch::Tensor& x, const torch::Tensor& w) {
  if (x.get_device() != w.get_device()) throw std::invalid_argument("devices");
  return x * w;
}

torch::Tensor on(torch::Tensor x, torch::Device device) {
  try {
    if (x.device() != device) throw std::runtime_error("moved");
    return x;
  } catch (const std::exception& e) {
    return x.to(device);
  }
}

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  auto w = torch::rand({4}).to(device);
  auto x = on(torch::rand({4}), device);
  if (x.device().type() != torch::kCUDA) throw std::runtime_error("x");
  if (x.get_device() == -1) throw std::runtime_error("x");
  auto y = scale(x, w);
  TORCH_CHECK(y.cpu().device().is_cpu());
  assert(y.is_cuda());
}
