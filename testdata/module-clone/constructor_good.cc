// The constructor calls reset(), which registers all; what is registered later is there as well.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct StackImpl : torch::nn::Cloneable<StackImpl> {
  StackImpl(int64_t width, int64_t depth) : width_(width), depth_(depth) { reset(); }
  void reset() override {
    layers = register_module("layers", torch::nn::ModuleList());
    for (int64_t i = 0; i < depth_; ++i) layers->push_back(torch::nn::Linear(width_, width_));
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width_})));
    scale = register_parameter("scale", torch::ones({width_}));
    shift = register_buffer("shift", torch::zeros({width_}));
  }
  torch::Tensor forward(torch::Tensor x) {
    for (auto& layer : *layers) x = layer->as<torch::nn::Linear>()->forward(x);
    return norm->forward(x) * scale + shift;
  }

  int64_t width_, depth_;
  torch::nn::ModuleList layers{nullptr};
  torch::nn::LayerNorm norm{nullptr};
  torch::Tensor scale, shift;
};
TORCH_MODULE(Stack);

int main() {
  std::vector<torch::Device> devices{{torch::kCUDA, 0}, {torch::kCUDA, 1}};
  Stack net(8, 3);
  net->to(devices[0]);
  torch::nn::parallel::data_parallel(net, torch::rand({6, 8}, devices[0]), devices);
}
