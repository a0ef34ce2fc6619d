// The move follows the load.
#include <torch/torch.h>

#include <memory>

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};

int main() {
  torch::Device device(torch::kCUDA);
  auto net = std::make_shared<Net>();
  torch::load(net, "net.pt");
  net->to(device);
  auto y = net->forward(torch::rand({3, 4}, device));
  net->to(device);
  torch::load(net, "other.pt");
  net->to(device);
  y = net->forward(torch::rand({3, 4}, device));
}
