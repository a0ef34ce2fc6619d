// A layer that is registered under a condition, and used under the same one.
#include <torch/torch.h>

struct BlockImpl : torch::nn::Module {
  BlockImpl(int64_t in, int64_t out) {
    conv = register_module("conv", torch::nn::Conv1d(in, out, 1));
    if (in != out) shortcut = register_module("shortcut", torch::nn::Conv1d(in, out, 1));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto identity = shortcut ? shortcut(x) : x;
    return torch::relu(conv(x) + identity);
  }
  torch::nn::Conv1d conv{nullptr}, shortcut{nullptr}, never_made{nullptr};
};
TORCH_MODULE(Block);

int main() {
  Block block(2, 4);
  block->to(torch::kCUDA);
}
