// A generic block over the layer that it holds.
#include <torch/torch.h>

template <typename Layer>
struct Residual : torch::nn::Module {
  explicit Residual(Layer inner) : layer(inner) { register_module("layer", layer); }
  torch::Tensor forward(torch::Tensor x) {
    auto scale = torch::ones({1, 4}, torch::TensorOptions().device(torch::kCPU));
    return x + layer->forward(x) * scale;  // expect: hardcoded-device
  }
  Layer layer;
};

int main() {
  auto block = std::make_shared<Residual<torch::nn::Linear>>(torch::nn::Linear(4, 4));
  block->to(torch::kCUDA);
  auto y = block->forward(torch::rand({2, 4}, torch::kCUDA));
}
