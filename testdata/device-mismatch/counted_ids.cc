// The list of all GPUs is filled by a loop: its first element is the first GPU.
#include <torch/torch.h>

#include <iostream>
#include <vector>

std::vector<int64_t> all_gpus() {
  std::vector<int64_t> ids;
  for (size_t i = 0; i < torch::cuda::device_count(); ++i) ids.push_back(static_cast<int64_t>(i));
  return ids;
}

int main() {
  std::vector<torch::Device> devices;
  for (int64_t id : all_gpus())
    devices.emplace_back(torch::kCUDA, static_cast<c10::DeviceIndex>(id));
  torch::nn::Linear net(4, 2);
  net->to(devices.front());
  std::cout << net(torch::rand({3, 4}, devices[0])) << "\n";
  std::cout << net(torch::rand({3, 4}, devices.back())) << "\n";  // expect: device-mismatch
}
