// The same without a place: on a machine without CUDA the load fails, and with it the tensors are
// where the file says.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::nn::Linear trained(4, 2);
  trained->to(torch::kCUDA);
  torch::save(trained, "from_gpu.pt");

  torch::nn::Linear net(4, 2);
  torch::load(net, "from_gpu.pt");  // expect: missing-map-location
  std::cout << net(torch::rand({3, 4})).sizes() << '\n';
}
