// devices: 1
// A device that is only printed or compared asks nothing of the machine.
#include <torch/torch.h>

#include <iostream>

int main() {
  std::cout << torch::Device(torch::kCUDA, 1) << std::endl;
  auto x = torch::rand({2}, torch::Device("cuda:0"));
  if (x.device() == torch::Device("cuda:1")) std::cout << "second" << std::endl;
}
