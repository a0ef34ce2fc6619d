// What changes a tensor in place: its data replaced, a copy into it, a module that moves.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(4, 2);
  for (auto& parameter : net->parameters()) parameter.set_data(parameter.data().to(device));
  torch::Tensor host = torch::rand({3, 4});
  torch::Tensor x = torch::empty({3, 4}, device);
  x.copy_(host);
  x.add_(1).mul_(2);
  torch::nn::Linear head(2, 1);
  head->to(device);
  auto y = head->forward(net->forward(x));
}
