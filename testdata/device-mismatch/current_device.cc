// `cuda` without an index is the current device, and a guard changes it for its scope.
#include <torch/torch.h>

int main() {
  auto on_zero = torch::rand({4}, torch::Device("cuda:0"));
  auto plain = torch::rand({4}, torch::kCUDA);
  auto good = on_zero + plain;
  {
    c10::DeviceGuard guard(torch::Device(torch::kCUDA, 1));
    auto guarded = torch::rand({4}, torch::kCUDA);
    auto on_one = torch::rand({4}, torch::Device("cuda:1"));
    good = guarded + on_one;
    good = guarded + torch::rand({4}).cuda();
    auto bad = guarded + on_zero;  // expect: device-mismatch
  }
  good = torch::rand({4}).cuda() + on_zero;
  torch::nn::Linear layer(4, 4);
  {
    c10::OptionalDeviceGuard guard(torch::Device(torch::kCUDA, 1));
    layer->to(torch::kCUDA);
  }
  auto other = layer->forward(plain);  // expect: device-mismatch
  return 0;
}
