// Functions of a library as values.
#include <torch/torch.h>

#include <functional>

using Activation = std::function<torch::Tensor(const torch::Tensor&)>;

struct BlockImpl : torch::nn::Module {
  explicit BlockImpl(Activation chosen) : activation(chosen) {
    layer = register_module("layer", torch::nn::Linear(4, 4));
  }
  torch::Tensor forward(torch::Tensor x) { return activation(layer(x)); }
  torch::nn::Linear layer{nullptr};
  Activation activation;
};
TORCH_MODULE(Block);

int main() {
  const torch::Device gpu(torch::kCUDA, 0);
  Block block([](const torch::Tensor& x) { return torch::tanh(x); });
  block->to(gpu);
  torch::Tensor (*squash)(const torch::Tensor&) = torch::sigmoid;
  auto kept = squash(torch::rand({2, 4}, gpu));
  block->forward(kept);
  auto host = squash(torch::rand({2, 4}));
  kept = kept + block->forward(kept);
  block->forward(host);  // expect: device-mismatch
}
