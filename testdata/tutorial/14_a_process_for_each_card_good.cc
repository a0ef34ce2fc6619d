// One process a card: each takes the card of its rank, moves its net there, and only then lets the
// others' gradients in. The launcher sets LOCAL_RANK.
#include <c10/cuda/CUDAFunctions.h>
#include <torch/torch.h>

#include <cstdlib>
#include <iostream>

int local_rank() {
  const char* rank = std::getenv("LOCAL_RANK");
  return rank ? std::atoi(rank) : 0;
}

int main() {
  int rank = local_rank();
  c10::cuda::set_device(static_cast<c10::DeviceIndex>(rank));
  torch::Device device(torch::kCUDA, static_cast<c10::DeviceIndex>(rank));
  torch::nn::Linear net(4, 2);
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  auto loss = net(torch::rand({3, 4}).to(device)).sum();
  loss.backward();
  optimizer.step();
  std::cout << loss.device() << '\n';
}
