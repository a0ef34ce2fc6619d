// A module in a module in a module: the outermost call that passes the CPU tensor is named.
#include <torch/torch.h>

struct BlockImpl : torch::nn::Module {
  explicit BlockImpl(int64_t n) {
    conv = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(n, n, 3).padding(1)));
    norm = register_module("norm", torch::nn::BatchNorm2d(n));
  }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(norm(conv(x)) + x); }
  torch::nn::Conv2d conv{nullptr};
  torch::nn::BatchNorm2d norm{nullptr};
};
TORCH_MODULE(Block);

struct BackboneImpl : torch::nn::Module {
  BackboneImpl() {
    blocks->push_back(Block(3));
    blocks->push_back(Block(3));
    register_module("blocks", blocks);
  }
  torch::Tensor forward(torch::Tensor x) { return blocks->forward(x).mean({2, 3}); }
  torch::nn::Sequential blocks;
};
TORCH_MODULE(Backbone);

struct ClassifierImpl : torch::nn::Module {
  ClassifierImpl() {
    backbone = register_module("backbone", Backbone());
    head = register_module("head", torch::nn::Linear(3, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return head(backbone(x)); }
  Backbone backbone{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(Classifier);

int main() {
  Classifier classifier;
  classifier->to(torch::Device("cuda"));
  auto image = torch::rand({2, 3, 8, 8});
  auto good = classifier->forward(image.to("cuda"));
  auto bad = classifier->forward(image);  // expect: device-mismatch
  return 0;
}
