// The network is on the last GPU, the batch on the first: there are two at least.
#include <torch/torch.h>

#include <iostream>

int last_gpu() { return static_cast<int>(torch::cuda::device_count()) - 1; }

int main() {
  torch::Device device(torch::kCUDA, static_cast<c10::DeviceIndex>(last_gpu()));
  torch::nn::Linear net(4, 2);
  net->to(device);
  auto batch = torch::rand({3, 4});
  std::cout << net(batch.to(device)) << "\n";
  std::cout << net(batch.cuda()) << "\n";  // expect: device-mismatch
}
