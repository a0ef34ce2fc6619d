// A generic helper, instantiated for a tensor and for a module by value.
#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(2, 2)); }
  torch::nn::Linear fc{nullptr};
};

template <typename T>
void move_all(std::vector<T>& values, torch::Device device) {
  for (T& value : values) {
    value.to(device);  // expect: discarded-transfer
  }
}

template <typename T>
void move_module(T& module, torch::Device device) {
  module.to(device);
}

int main() {
  torch::Device device(torch::kCUDA);
  std::vector<torch::Tensor> tensors(2, torch::zeros({2}));
  move_all(tensors, device);
  Net net;
  move_module(net, device);
}
