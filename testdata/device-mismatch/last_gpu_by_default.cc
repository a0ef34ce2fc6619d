// Unless another is asked for the network is on the last GPU; cuda() moves the batch to the first.
#include <torch/torch.h>

#include <cstdlib>
#include <iostream>

int chosen_gpu() {
  if (const char* chosen = std::getenv("GPU_OF_NETWORK")) return std::atoi(chosen);
  return static_cast<int>(torch::cuda::device_count()) - 1;
}

int main() {
  torch::nn::Linear net(4, 2);
  net->to(torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(chosen_gpu())));
  std::cout << net(torch::rand({3, 4}).cuda()) << "\n";  // expect: device-mismatch
}
