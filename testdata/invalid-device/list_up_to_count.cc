// arguments: 0 1
// A list of all devices, and one more; two workers for each device, which take their own number.
#include <torch/torch.h>

#include <vector>

std::vector<torch::Device> visible_devices() {
  std::vector<torch::Device> devices;
  const auto count = static_cast<int>(torch::cuda::device_count());
  for (int i = 0; i <= count; ++i)
    devices.emplace_back(torch::kCUDA, static_cast<c10::DeviceIndex>(i));  // expect: invalid-device
  return devices;
}

void run_workers() {
  const auto workers = 2 * static_cast<int>(torch::cuda::device_count());
  for (int worker = 0; worker < workers; ++worker) {
    const torch::Device device(torch::kCUDA, static_cast<c10::DeviceIndex>(worker / 2));
    torch::zeros({2}, device).sum();
  }
  for (int worker = 0; worker < workers; ++worker) {
    const torch::Device device(torch::kCUDA, static_cast<c10::DeviceIndex>(worker));  // expect: invalid-device
    torch::zeros({2}, device).sum();
  }
}

int main(int argc, char**) {
  if (argc > 1) run_workers();
  for (const torch::Device& device : visible_devices()) torch::zeros({2, 4}, device).sum();
}
