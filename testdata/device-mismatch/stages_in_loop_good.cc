// Layers whose number decides where they are: the last ones are on the second device.
#include <torch/torch.h>

#include <memory>
#include <vector>

struct Stack : torch::nn::Module {
  explicit Stack(int64_t depth) {
    for (int64_t i = 0; i < depth; ++i) {
      auto layer = register_module("layer" + std::to_string(i), torch::nn::Linear(4, 4));
      layer->to(torch::Device(i < depth / 2 ? "cuda:0" : "cuda:1"));
      layers.push_back(layer);
    }
    head = register_module("head", torch::nn::Linear(4, 2));
    head->to(torch::Device("cuda:1"));
  }
  torch::Tensor forward(torch::Tensor x) {
    for (size_t i = 0; i < layers.size(); ++i) x = layers[i](x.to(layers[i]->weight.device()));
    return head(x);
  }
  std::vector<torch::nn::Linear> layers;
  torch::nn::Linear head{nullptr};
};

int main() {
  Stack stack(4);
  stack.forward(torch::rand({2, 4}));
}
