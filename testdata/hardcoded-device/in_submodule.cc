// In a block of a block, and handed down to it.
#include <torch/torch.h>

struct BlockImpl : torch::nn::Module {
  BlockImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x, torch::Tensor bias) { return fc->forward(x) + bias; }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Block);

struct BodyImpl : torch::nn::Module {
  BodyImpl() { block = register_module("block", Block()); }
  torch::Tensor forward(torch::Tensor x) {
    auto bias = torch::full({4}, 0.5);
    return block->forward(x, bias);  // expect: hardcoded-device
  }
  Block block{nullptr};
};
TORCH_MODULE(Body);

struct NetImpl : torch::nn::Module {
  NetImpl() { body = register_module("body", Body()); }
  torch::Tensor forward(torch::Tensor x) { return body->forward(x).sum(); }
  Body body{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto y = net->forward(torch::rand({2, 4}).to(torch::kCUDA));
}
