// One of several names is that of no device.
#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

int main() {
  const std::vector<std::string> names{"cpu", "cuda", "cuda:0", "cuda:1", "gpu:1", "cpu:0"};
  for (const std::string& name : names) {
    const torch::Device device(name);  // expect: invalid-device
    std::cout << device << " " << torch::ones({2}, device).sum().item<float>() << "\n";
  }
}
