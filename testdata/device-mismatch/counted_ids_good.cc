// Each GPU of the list has a network and a batch of its own.
#include <torch/torch.h>

#include <iostream>
#include <vector>

int main() {
  std::vector<torch::Device> devices;
  std::vector<torch::nn::Linear> nets;
  for (size_t i = 0; i < torch::cuda::device_count(); ++i) {
    devices.emplace_back(torch::kCUDA, static_cast<c10::DeviceIndex>(i));
    nets.emplace_back(4, 2);
    nets.back()->to(devices.back());
  }
  for (size_t i = 0; i < devices.size(); ++i)
    std::cout << nets[i](torch::rand({3, 4}, devices[i])) << "\n";
  std::cout << nets.back()(torch::rand({3, 4}, devices.back())) << "\n";
}
