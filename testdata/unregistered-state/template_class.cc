// Class templates: members of the instantiation.
#include <torch/torch.h>

#include <array>

template <int kLayers>
class Tower : public torch::nn::Module {
 public:
  Tower() {
    for (int i = 0; i < kLayers; ++i) {
      layers_[i] = register_module("layer" + std::to_string(i), torch::nn::Linear(4, 4));
    }
    last_ = torch::nn::Linear(4, 1);
  }
  torch::Tensor forward(torch::Tensor x) {
    for (auto& layer : layers_) x = torch::relu(layer(x));
    return last_(x);
  }

 private:
  std::array<torch::nn::Linear, kLayers> layers_{nullptr, nullptr};
  torch::nn::Linear last_{nullptr};  // expect: unregistered-state
};

int main() {
  Tower<2> tower;
  tower.to(torch::kCUDA);
  auto y = tower.forward(torch::rand({2, 4}, torch::kCUDA));
}
