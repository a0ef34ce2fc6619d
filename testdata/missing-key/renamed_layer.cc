// arguments: 0 1
// The last layer was renamed; the statistics that are printed still ask for its old name. A table
// by devices is asked for that of a tensor.
#include <torch/torch.h>

#include <iostream>
#include <map>
#include <string>

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

// "cuda" is not the name of a tensor's device.
torch::Tensor anchors_for(const torch::Tensor& features) {
  const torch::Device device(torch::kCUDA);
  std::map<std::string, torch::Tensor> table;
  table[device.str()] = torch::ones({4}, device);
  return table.at(features.device().str());  // expect: missing-key
}

int main(int argc, char**) {
  if (argc > 1) anchors_for(torch::rand({4}, torch::kCUDA));
  Net net;
  net.to(torch::kCUDA);
  net.forward(torch::rand({2, 1, 8, 8}, torch::kCUDA));
  report(net);
}
