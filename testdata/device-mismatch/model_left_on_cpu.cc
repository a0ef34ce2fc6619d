// The input is moved, the model is not.
#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(427, 2)); }
  torch::Tensor forward(torch::Tensor x) { return torch::sigmoid(fc->forward(x)); }
  torch::nn::Linear fc{nullptr};
};

int main() {
  torch::Device device(torch::kCUDA, 0);
  Net net;
  auto x = torch::rand({42, 427}).to(device);
  auto y = net.forward(x);  // expect: device-mismatch
  net.to(device);
  y = net.forward(x);
  return 0;
}
