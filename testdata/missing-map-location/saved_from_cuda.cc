// Saved from a card, loaded without a device, used with what is on the host.
#include <torch/torch.h>

int main() {
  torch::nn::Linear trained(4, 2);
  trained->to(torch::kCUDA);
  torch::save(trained, "net.pt");

  torch::nn::Linear net(4, 2);
  torch::load(net, "net.pt");  // expect: missing-map-location
  auto y = net->forward(torch::rand({3, 4}));
}
