// Something is given that may be a device.
#include <torch/torch.h>

#include <optional>

std::optional<torch::Device> wanted();

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(4, 2);
  net->to(device);
  torch::load(net, "net.pt", wanted().value_or(device));
  auto y = net->forward(torch::rand({3, 4}, device));
}
