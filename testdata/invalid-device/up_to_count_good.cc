// Loops that go up to the number of devices, and use the one below, or leave in time.
#include <torch/torch.h>

int main() {
  const int count = static_cast<int>(torch::cuda::device_count());
  for (int i = 1; i <= count; ++i) torch::zeros({16}, torch::Device(torch::kCUDA, i - 1));
  for (int i = 0; i <= count; ++i) {
    torch::Device device = i < count ? torch::Device(torch::kCUDA, i) : torch::Device(torch::kCPU);
    torch::zeros({16}, device);
  }
  for (int i = 0; i <= count; ++i) {
    if (i == count) break;
    torch::zeros({16}, torch::Device(torch::kCUDA, i));
  }
}
