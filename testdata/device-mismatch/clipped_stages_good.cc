// The gradients of each stage are clipped by themselves.
#include <torch/torch.h>

#include <iostream>

struct StagesImpl : torch::nn::Module {
  StagesImpl() {
    first->to(torch::Device(torch::kCUDA, 0));
    second->to(torch::Device(torch::kCUDA, 1));
  }
  torch::Tensor forward(const torch::Tensor& x) {
    return second(torch::relu(first(x.to("cuda:0"))).to("cuda:1"));
  }
  torch::nn::Linear first = register_module("first", torch::nn::Linear(4, 4));
  torch::nn::Linear second = register_module("second", torch::nn::Linear(4, 2));
};
TORCH_MODULE(Stages);

int main() {
  Stages net;
  net(torch::rand({3, 4})).pow(2).mean().backward();
  for (const torch::nn::Linear& stage : {net->first, net->second})
    std::cout << torch::nn::utils::clip_grad_norm_(stage->parameters(), 1.0) << "\n";
}
