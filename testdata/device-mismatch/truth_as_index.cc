// A truth as a device's number is 1 where it holds: the second device.
#include <torch/torch.h>

torch::Tensor on_first() { return torch::ones({2}, torch::Device(torch::kCUDA, 0)); }

int main() {
  torch::Device asked(torch::kCUDA, torch::cuda::is_available());
  auto a = torch::ones({2}, asked) + on_first();  // expect: device-mismatch

  const int number = torch::cuda::is_available();
  torch::Device kept(torch::kCUDA, number);
  auto b = torch::ones({2}, kept) + on_first();  // expect: device-mismatch

  auto options = torch::TensorOptions().device(torch::kCUDA, torch::cuda::is_available());
  auto c = torch::ones({2}, options) + on_first();  // expect: device-mismatch

  torch::Device written(torch::kCUDA, true);
  auto d = torch::ones({2}, written) + on_first();  // expect: device-mismatch
}
