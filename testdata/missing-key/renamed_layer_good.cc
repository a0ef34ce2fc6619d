// Names that are there, names that are asked for first, and registrations whose names are computed.
#include <torch/torch.h>

#include <iostream>
#include <string>

struct Net : torch::nn::Module {
  explicit Net(int depth) {
    for (int i = 0; i < depth; ++i)
      register_module("layer" + std::to_string(i), torch::nn::Linear(4, 4));
    head = register_module("head", torch::nn::Linear(4, 2));
  }
  torch::nn::Linear head{nullptr};
};

int main() {
  Net net(3);
  const auto parameters = net.named_parameters();
  std::cout << parameters["head.weight"].sizes() << '\n';
  std::cout << parameters["layer2.weight"].sizes() << '\n';
  if (parameters.contains("fc.weight")) std::cout << parameters["fc.weight"].sizes() << '\n';
  if (const torch::Tensor* bias = parameters.find("fc.bias")) std::cout << bias->sizes() << '\n';

  torch::nn::ModuleList blocks;
  for (int i = 0; i < 3; ++i) blocks->push_back(torch::nn::Linear(4, 4));
  std::cout << blocks->named_parameters()["2.weight"].sizes() << '\n';
}
