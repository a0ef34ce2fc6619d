// A layer is assigned in the constructor and never registered: to() leaves it on the CPU.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    fc1 = register_module("fc1", torch::nn::Linear(4, 8));
    fc2 = torch::nn::Linear(8, 2);
  }
  torch::Tensor forward(torch::Tensor x) { return fc2->forward(torch::relu(fc1->forward(x))); }
  torch::nn::Linear fc1{nullptr};
  torch::nn::Linear fc2{nullptr};  // expect: unregistered-state
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto y = net->forward(torch::rand({2, 4}, torch::kCUDA));
  return net->parameters().size() == 2 ? 0 : 1;
}
