// Plain tensors that are made or moved where they are used, and values kept for reading.
#include <torch/torch.h>

#include <vector>

struct RotaryImpl : torch::nn::Module {
  explicit RotaryImpl(torch::Device device)
      : betas(torch::linspace(0, 1, 4, torch::TensorOptions().device(device))) {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    table = torch::sin(torch::arange(4).to(torch::kFloat));
    lazy = torch::ones({4});
  }
  torch::Tensor forward(torch::Tensor x) {
    lazy = lazy.to(x.device());
    if (!cache.defined()) cache = torch::ones_like(x);
    activation = fc(x) * table.to(x.device()) * lazy + betas;
    history.push_back(activation.detach().cpu());
    return activation * cache;
  }
  torch::nn::Linear fc{nullptr};
  torch::Tensor betas, table, lazy, cache, activation;
  std::vector<torch::Tensor> history;
};
TORCH_MODULE(Rotary);

int main() {
  torch::Device device(torch::kCUDA);
  Rotary rotary(device);
  rotary->to(device);
  rotary->forward(torch::rand({2, 4}, device));
}
