// Saved from the host: loading moves the module back there.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear trained(4, 2);
  torch::save(trained, "net.pt");

  torch::nn::Linear net(4, 2);
  net->to(device);
  torch::load(net, "net.pt");  // expect: missing-map-location
  auto y = net->forward(torch::rand({3, 4}, device));
}
