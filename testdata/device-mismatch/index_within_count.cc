// std::min with the number of devices, of which there are two at least.
#include <torch/torch.h>

#include <algorithm>

int main() {
  int devices = static_cast<int>(torch::cuda::device_count());
  auto device = [&](int wanted) {
    return torch::Device(torch::kCUDA,
                         static_cast<torch::DeviceIndex>(std::min(wanted, devices - 1)));
  };
  auto first = torch::rand({4}, device(0));
  auto second = torch::rand({4}, device(1));
  auto sum = first + second;  // expect: device-mismatch
}
