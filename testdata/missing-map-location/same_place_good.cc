// Saved from where it is used.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear trained(4, 2);
  trained->to(device);
  torch::save(trained, "net.pt");
  torch::nn::Linear net(4, 2);
  torch::load(net, "net.pt");
  auto y = net->forward(torch::rand({3, 4}, device));

  torch::nn::Linear host(4, 2);
  torch::save(host, "host.pt");
  torch::nn::Linear other(4, 2);
  torch::load(other, "host.pt");
  y = other->forward(torch::rand({3, 4}));
}
