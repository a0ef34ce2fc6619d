// A static local is made by the first call: the validation set of the first trial's GPU.
#include <torch/torch.h>

#include <iostream>

const torch::Tensor& validation(torch::Device device) {
  static const torch::Tensor samples = torch::rand({8, 4}).to(device);
  return samples;
}

float evaluate(torch::nn::Linear net, torch::Device device) {
  torch::NoGradGuard no_grad;
  return net->forward(validation(device)).sum().item<float>();  // expect: device-mismatch
}

int main() {
  for (int gpu = 0; gpu < static_cast<int>(torch::cuda::device_count()); ++gpu) {
    const torch::Device device(torch::kCUDA, gpu);
    torch::nn::Linear net(4, 2);
    net->to(device);
    std::cout << evaluate(net, device) << "\n";
  }
}
