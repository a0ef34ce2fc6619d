// A truth that is turned around names the first device, and one that chooses a kind names no number.
#include <torch/torch.h>

int main() {
  auto first = torch::ones({2}, torch::Device(torch::kCUDA, 0));
  torch::Device turned(torch::kCUDA, !torch::cuda::is_available());
  auto a = torch::ones({2}, turned) + first;

  torch::Device chosen(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto b = torch::ones({2}, chosen) + first;

  torch::Device numbered(torch::kCUDA, torch::cuda::is_available() ? 0 : -1);
  auto c = torch::ones({2}, numbered) + first;
}
