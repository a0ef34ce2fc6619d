// What is no name of a device is caught, and another device is taken.
#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

torch::Device device_of(const std::string& name) {
  try {
    return torch::Device(name);
  } catch (const c10::Error&) {
    return torch::kCPU;
  }
}

int main() {
  const std::vector<std::string> names{"cpu", "cuda", "cuda:0", "cuda:1", "gpu:1", "cpu:0"};
  for (const std::string& name : names) {
    torch::Device device = device_of(name);
    try {
      device = torch::Device(name);
    } catch (const c10::Error& error) {
      device = torch::kCPU;
    }
    std::cout << device << " " << torch::ones({2}, device).sum().item<float>() << "\n";
  }
}
