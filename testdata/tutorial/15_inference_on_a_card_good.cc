// The input goes to the card on which the net is.
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
  const torch::Device device("cuda:1");
  Net net;
  net->to(device);
  net->eval();
  torch::NoGradGuard no_gradients;
  torch::Tensor output = net->forward(torch::rand({1, 10}).to(device));
  std::cout << output.device() << '\n';
}
