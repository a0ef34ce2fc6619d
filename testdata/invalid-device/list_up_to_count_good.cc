// A list of all devices: the loop ends before their number.
#include <torch/torch.h>

#include <vector>

std::vector<torch::Device> visible_devices() {
  std::vector<torch::Device> devices;
  const auto count = static_cast<int>(torch::cuda::device_count());
  for (int i = 0; i < count; ++i)
    devices.emplace_back(torch::kCUDA, static_cast<c10::DeviceIndex>(i));
  return devices;
}

int main() {
  for (const torch::Device& device : visible_devices()) torch::zeros({2, 4}, device).sum();
}
