// A member is registered in a plain module that is registered itself.
#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net() {
    adapter = register_module("adapter", std::make_shared<torch::nn::Module>());
    inner = adapter->register_module("inner", torch::nn::Linear(4, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return inner->forward(x); }
  std::shared_ptr<torch::nn::Module> adapter;
  std::shared_ptr<torch::nn::LinearImpl> inner;
};

int main() {
  Net net;
  net.to(torch::Device("cuda:0"));
  net.forward(torch::ones({3, 4}, torch::Device("cuda:0")));
}
