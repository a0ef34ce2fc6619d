// A program that stays on the host.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() { gru = register_module("gru", torch::nn::GRU(4, 8)); }
  torch::Tensor forward(torch::Tensor x) {
    return std::get<0>(gru->forward(x, torch::zeros({1, x.size(1), 8})));
  }
  torch::nn::GRU gru{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  auto y = net->forward(torch::rand({5, 2, 4}));
}
