// The helper makes its tensor on the CPU; its caller mixes it with one on the card.
#include <torch/torch.h>

torch::Tensor make_noise(int64_t n) { return torch::randn({n, 4}) * 0.1; }

torch::Tensor make_noise_like(const torch::Tensor& x) { return torch::randn_like(x) * 0.1; }

torch::Tensor make_noise_on(int64_t n, const torch::Device& device) {
  return torch::randn({n, 4}, torch::TensorOptions().device(device)) * 0.1;
}

int main() {
  auto device = torch::Device(torch::kCUDA, 0);
  auto x = torch::zeros({8, 4}, device);
  auto good = x + make_noise_like(x) + make_noise_on(8, device) + make_noise(8).to(device);
  auto bad = x + make_noise(8);  // expect: device-mismatch
  return 0;
}
