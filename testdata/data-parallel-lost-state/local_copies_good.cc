// Locals, inputs and new tensors are written, not members.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    scale = register_buffer("scale", torch::ones({4}));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto y = fc->forward(x);
    y.add_(1);
    auto local = scale.clone();
    local.mul_(2);
    auto total = torch::zeros_like(y);
    total += y * scale * local;
    return total;
  }
  torch::nn::Linear fc{nullptr};
  torch::Tensor scale;
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto y = torch::nn::parallel::data_parallel(net, torch::rand({8, 4}));
}
