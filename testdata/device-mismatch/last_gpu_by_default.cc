// Without an option the network is on the last GPU; cuda() moves the batch to the first.
#include <torch/torch.h>

#include <cstdlib>
#include <iostream>

int chosen_gpu(int argc, char** argv) {
  if (argc > 1) return std::atoi(argv[1]);
  return static_cast<int>(torch::cuda::device_count()) - 1;
}

int main(int argc, char** argv) {
  torch::nn::Linear net(4, 2);
  net->to(torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(chosen_gpu(argc, argv))));
  std::cout << net(torch::rand({3, 4}).cuda()) << "\n";  // expect: device-mismatch
}
