// Registered under the very condition under which it is used.
#include <torch/torch.h>

struct BlockImpl : torch::nn::Module {
  BlockImpl(int64_t size, torch::nn::Sequential shortcut_) : shortcut(shortcut_) {
    layer = register_module("layer", torch::nn::Linear(size, size));
    if (!shortcut->is_empty()) register_module("shortcut", shortcut);
  }

  torch::Tensor forward(torch::Tensor x) {
    torch::Tensor residual = x;
    if (!shortcut->is_empty()) residual = shortcut->forward(x);
    return layer(x) + residual;
  }

  torch::nn::Linear layer{nullptr};
  torch::nn::Sequential shortcut{nullptr};
};
TORCH_MODULE(Block);

torch::nn::Sequential make_blocks(int64_t size, bool is_first) {
  torch::nn::Sequential blocks;
  torch::nn::Sequential shortcut;
  if (is_first) shortcut = torch::nn::Sequential(torch::nn::Linear(size, size));
  blocks->push_back(Block(size, shortcut));
  blocks->push_back(Block(size, torch::nn::Sequential()));
  return blocks;
}

int main() {
  torch::nn::Sequential first = make_blocks(8, true);
  first->to(torch::kCUDA);
  first->forward(torch::ones({2, 8}).cuda());
  first->forward(torch::ones({2, 8}));  // expect: device-mismatch
}
