// A table that forward meets its input with is left behind by to(): it belongs in a buffer.
#include <torch/torch.h>

struct PositionalImpl : torch::nn::Module {
  PositionalImpl(int64_t length, int64_t size) {
    drop = register_module("drop", torch::nn::Dropout(0.1));
    table = torch::zeros({length, size});
    auto position = torch::arange(length).unsqueeze(1).to(torch::kFloat);
    table.slice(1, 0, size, 2).copy_(torch::sin(position));
  }
  torch::Tensor forward(torch::Tensor x) { return drop(x + table.slice(0, 0, x.size(0))); }
  torch::nn::Dropout drop{nullptr};
  torch::Tensor table;  // expect: unregistered-state
};
TORCH_MODULE(Positional);

int main() {
  Positional positional(16, 4);
  positional->to(torch::kCUDA);
  auto y = positional->forward(torch::rand({8, 4}, torch::kCUDA));
}
