// Static locals that are made by the first call, and fit the others as well.
#include <torch/torch.h>

#include <iostream>

const torch::Tensor& validation(int64_t width) {
  static const torch::Tensor samples = torch::rand({8, width});
  return samples;
}

int main() {
  for (int gpu = 0; gpu < static_cast<int>(torch::cuda::device_count()); ++gpu) {
    const torch::Device device(torch::kCUDA, gpu);
    static const torch::Device first = device;
    torch::nn::Linear net(4, 2);
    net->to(device);
    std::cout << net->forward(validation(4).to(device)).to(first).sum() << "\n";
  }
}
