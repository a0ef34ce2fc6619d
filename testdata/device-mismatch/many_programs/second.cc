#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};

int main() {
  Net net;
  net.to(torch::kCUDA);
  net.forward(torch::rand({1, 4}));  // expect: device-mismatch
}
