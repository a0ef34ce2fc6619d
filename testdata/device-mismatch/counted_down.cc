// Devices listed from the last to the first.
#include <torch/torch.h>

#include <vector>

std::vector<torch::Device> reversed(int count) {
  std::vector<torch::Device> devices;
  for (int i = count - 1; i >= 0; --i)
    devices.emplace_back(torch::kCUDA, static_cast<torch::DeviceIndex>(i));
  return devices;
}

int main() {
  std::vector<torch::Device> devices = reversed(2);
  torch::nn::Linear first(2, 2), second(2, 2);
  first->to(devices[0]);
  second->to(devices[1]);
  auto x = first->forward(torch::rand({2, 2}, torch::Device("cuda:1")));
  auto y = second->forward(x.to(devices[1]));
  auto z = second->forward(x);  // expect: device-mismatch
}
