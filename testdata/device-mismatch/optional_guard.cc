// The guard ends with its optional: what is made behind it is on the device of before.
#include <c10/core/DeviceGuard.h>
#include <torch/torch.h>

int main() {
  const torch::Device second(torch::kCUDA, 1);
  torch::Tensor a;
  {
    torch::optional<c10::DeviceGuard> guard;
    guard.emplace(second);
    a = torch::ones({2, 2}, torch::kCUDA);
  }
  a.mm(torch::ones({2, 2}, torch::kCUDA));  // expect: device-mismatch
}
