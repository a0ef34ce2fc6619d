// The last layer was renamed; the statistics that are printed still ask for its old name.
#include <torch/torch.h>

#include <iostream>

struct Net : torch::nn::Module {
  Net() : conv(torch::nn::Conv2dOptions(1, 4, 3)), norm(4), head(4 * 36, 10) {
    register_module("conv", conv);
    register_module("norm", norm);
    register_module("head", head);
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(norm(conv(x)));
    return head(x.flatten(1));
  }

  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d norm;
  torch::nn::Linear head;
};

void report(const torch::nn::Module& model) {
  const auto parameters = model.named_parameters();
  std::cout << parameters["conv.weight"].norm().item<double>() << '\n';
  std::cout << parameters["fc.weight"].norm().item<double>() << '\n';  // expect: missing-key
}

int main() {
  Net net;
  net.to(torch::kCUDA);
  net.forward(torch::rand({2, 1, 8, 8}, torch::kCUDA));
  report(net);
}
