// devices: 2
// With --devices=2: indices beyond.
#include <torch/torch.h>

int main() {
  torch::Device third("cuda:2");              // expect: invalid-device
  torch::nn::Linear net(2, 2);
  net->to(third);
  torch::Device seventh(torch::kCUDA, 7);     // expect: invalid-device
  auto x = torch::zeros({2}, seventh);
  auto y = torch::ones({2}).to("cuda:5");     // expect: invalid-device
  auto z = torch::ones({2}).to(torch::Device(torch::kCUDA, 3));  // expect: invalid-device
}
