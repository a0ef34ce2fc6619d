// The input stays on the host, or goes to another card.
#include <torch/torch.h>

#include <iostream>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    hidden = register_module("hidden", torch::nn::Linear(10, 20));
    output = register_module("output", torch::nn::Linear(20, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return output(torch::relu(hidden(x))); }

  torch::nn::Linear hidden{nullptr}, output{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::Device("cuda:1"));
  net->eval();
  torch::NoGradGuard no_gradients;
  torch::Tensor output = net->forward(torch::rand({1, 10}));  // expect: device-mismatch
  output =
      net->forward(torch::rand({1, 10}).to(torch::Device("cuda:0")));  // expect: device-mismatch
}
