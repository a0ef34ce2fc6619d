// A module is where its first parameter is; cuda() and cpu() of a tensor yield another one.
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
  std::cout << net->parameters()[0].device() << '\n';
  net->to(torch::kCUDA);
  torch::Tensor data = torch::rand({4, 10});
  torch::Tensor there = data.cuda();
  std::cout << data.device() << ' ' << there.device() << '\n';
  torch::Tensor output = net->forward(there);
  torch::Tensor sum = output.cpu() + torch::ones({4, 2});
  output = net->forward(data.to(net->parameters()[0].device()));
}
