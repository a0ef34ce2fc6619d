// LBFGS puts the gradients of all parameters into one tensor.
#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net() {
    first = register_module("first", torch::nn::Linear(4, 4));
    second = register_module("second", torch::nn::Linear(4, 1));
    first->to(torch::Device("cuda:0"));
    second->to(torch::Device("cuda:1"));
  }
  torch::Tensor forward(torch::Tensor x) {
    return second(first(x.to(torch::Device("cuda:0"))).to(torch::Device("cuda:1")));
  }
  torch::nn::Linear first{nullptr}, second{nullptr};
};

int main() {
  Net net;
  torch::optim::LBFGS optimizer(net.parameters(), torch::optim::LBFGSOptions(0.1));
  auto x = torch::rand({8, 4});
  optimizer.step([&] {  // expect: device-mismatch
    optimizer.zero_grad();
    auto loss = net.forward(x).square().mean();
    loss.backward();
    return loss;
  });
}
