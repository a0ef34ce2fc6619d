// A wrapper over any layer.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

template <typename Layer>
struct Counted : torch::nn::Cloneable<Counted<Layer>> {
  Counted() { reset(); }
  void reset() override { layer = this->register_module("layer", Layer(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    calls += 1;  // expect: data-parallel-lost-state
    return layer->forward(x);
  }
  Layer layer{nullptr};
  int64_t calls = 0;
};

int main() {
  auto net = std::make_shared<Counted<torch::nn::Linear>>();
  net->to(torch::kCUDA);
  auto y = torch::nn::parallel::data_parallel(net, torch::rand({8, 4}));
  if (net->calls == 0) TORCH_WARN("no call was counted");  // shows: data-parallel-lost-state
}
