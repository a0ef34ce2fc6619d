// Dropout has no state to move, but eval() does not reach an unregistered one.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc(drop(x)); }
  torch::nn::Linear fc{nullptr};
  torch::nn::Dropout drop{0.5};  // expect: unregistered-state
};
TORCH_MODULE(Net);

struct OtherImpl : torch::nn::Module {
  OtherImpl() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc(drop(x)); }
  torch::nn::Linear fc{nullptr};
  torch::nn::Dropout drop{0.5};
};
TORCH_MODULE(Other);

int main() {
  Net net;
  net->eval();
  if (net->drop->is_training()) TORCH_WARN("eval() did not reach the dropout");  // shows: unregistered-state
  auto y = net->forward(torch::rand({3, 4}));
  Other other;
  other->to(torch::kCUDA);
  y = other->forward(torch::rand({3, 4}, torch::kCUDA));
}
