// A zero-dimensional CPU tensor mixes with CUDA tensors; the reverse does not.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA);
  auto x = torch::rand({4, 4}, device);
  auto a = x / torch::tensor(0.07);
  auto b = x + torch::scalar_tensor(2.0) * 3;
  auto c = torch::where(x > 0.5, x, torch::tensor(0.0f));
  auto d = x * torch::ones({}) + 1.0;
  auto e = x - torch::rand({8}).sum();
  auto f = x.mul_(torch::rand({3})[0]);
  auto best = torch::tensor(1e9);
  bool improved = (x.mean() < best).item<bool>();

  auto scale = x.max();
  auto host = torch::rand({5});
  auto g = host * scale;             // expect: device-mismatch
  auto h = x + torch::tensor({0.5});  // expect: device-mismatch
  return improved ? 0 : 1;
}
