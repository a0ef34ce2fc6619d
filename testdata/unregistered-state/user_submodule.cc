// A module of one's own is state as any other.
#include <torch/torch.h>

struct BlockImpl : torch::nn::Module {
  BlockImpl() { conv = register_module("conv", torch::nn::Conv1d(2, 2, 1)); }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(conv(x)); }
  torch::nn::Conv1d conv{nullptr};
};
TORCH_MODULE(Block);

struct NetImpl : torch::nn::Module {
  NetImpl() {
    first = register_module("first", Block());
    second = Block();
  }
  torch::Tensor forward(torch::Tensor x) { return second(first(x)); }
  Block first{nullptr};
  Block second{nullptr};  // expect: unregistered-state
};
TORCH_MODULE(Net);

int main() {
  Net net;
  torch::save(net, "user_submodule.pt");
  Net again;
  torch::load(again, "user_submodule.pt");
  const bool is_saved = torch::equal(again->second->conv->weight, net->second->conv->weight);
  if (!is_saved) TORCH_WARN("the second block is not in the file");  // shows: unregistered-state
}
