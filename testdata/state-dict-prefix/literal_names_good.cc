// Names as the wrapper and the bare model have them.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    backbone = register_module("backbone", torch::nn::Sequential(torch::nn::Linear(4, 4)));
    head = register_module("head", torch::nn::Linear(4, 2));
  }
  torch::nn::Sequential backbone{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(Net);

struct Wrapper : torch::nn::Module {
  explicit Wrapper(Net net) { module = register_module("module", net); }
  Net module{nullptr};
};

int main() {
  Net net;
  auto wrapper = std::make_shared<Wrapper>(net);
  auto weight = wrapper->named_parameters()["module.head.weight"];
  auto bias = net->named_parameters()["head.bias"];
  auto first = net->named_parameters()["backbone.0.weight"];
  auto inner = wrapper->named_children()["module"];
  auto backbone = wrapper->named_modules()["module.backbone"];
  auto layer = wrapper->named_modules()["module.backbone.0"];
  if (wrapper->named_children().contains("backbone")) wrapper->named_children()["backbone"]->eval();
}
