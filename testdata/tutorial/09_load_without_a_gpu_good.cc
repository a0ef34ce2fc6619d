// A checkpoint from the GPU, read where there may be none: the file's tensors are given a place.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::nn::Linear trained(4, 2);
  trained->to(torch::kCUDA);
  torch::save(trained, "from_gpu.pt");

  torch::nn::Linear net(4, 2);
  torch::load(net, "from_gpu.pt", torch::Device(torch::kCPU));
  std::cout << net(torch::rand({3, 4})).sizes() << '\n';

  torch::Tensor weights;
  torch::save(trained->weight, "weights.pt");
  torch::load(weights, "weights.pt", torch::Device(torch::kCPU));
  std::cout << torch::rand({3, 4}).mm(weights.t()).sizes() << '\n';
}
