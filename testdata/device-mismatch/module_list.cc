// Layers in a ModuleList move with their owner.
#include <torch/torch.h>

struct StackImpl : torch::nn::Module {
  StackImpl() {
    layers = register_module("layers", torch::nn::ModuleList());
    for (int i = 0; i < 3; ++i) layers->push_back(torch::nn::Linear(4, 4));
  }
  torch::Tensor forward(torch::Tensor x) {
    for (const auto& layer : *layers) x = torch::relu(layer->as<torch::nn::Linear>()->forward(x));
    return x;
  }
  torch::nn::ModuleList layers{nullptr};
};
TORCH_MODULE(Stack);

int main() {
  Stack stack;
  stack->to(torch::kCUDA);
  auto x = torch::rand({2, 4});
  auto good = stack->forward(x.cuda());
  auto bad = stack->forward(x);  // expect: device-mismatch
  return 0;
}
