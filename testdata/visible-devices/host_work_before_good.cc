// Tensors and modules on the host do not start CUDA.
#include <torch/torch.h>

#include <cstdlib>

int main() {
  auto x = torch::rand({2, 2});
  torch::nn::Linear net(2, 2);
  net->forward(x).sum().backward();
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  net->to(torch::Device("cuda:0"));
}
