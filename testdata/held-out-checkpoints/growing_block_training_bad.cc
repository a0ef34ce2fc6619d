#include <torch/torch.h>

#include <iostream>
#include <vector>

// Greedy layer-wise training: another block is added after every stage.

class GrowingNetImpl : public torch::nn::Module {
 public:
  GrowingNetImpl(int64_t in, int64_t width, int64_t classes) : width_(width) {
    stem_ = register_module("stem", torch::nn::Linear(in, width));
    blocks_ = register_module("blocks", torch::nn::ModuleList());
    head_ = register_module("head", torch::nn::Linear(width, classes));
  }

  void grow() {
    blocks_->push_back(torch::nn::Sequential(torch::nn::LayerNorm(torch::nn::LayerNormOptions({width_})),
                                             torch::nn::Linear(width_, width_), torch::nn::ReLU()));
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(stem_(x));
    for (const auto& block : *blocks_) {
      x = x + block->as<torch::nn::SequentialImpl>()->forward(x); // expect: device-mismatch
    }
    return head_(x);
  }

  size_t depth() const { return blocks_->size(); }

 private:
  int64_t width_;
  torch::nn::Linear stem_{nullptr}, head_{nullptr};
  torch::nn::ModuleList blocks_{nullptr};
};
TORCH_MODULE(GrowingNet);

float train_stage(GrowingNet& net, torch::Device device, int steps) {
  torch::optim::SGD sgd(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));
  float last = 0;
  for (int i = 0; i < steps; ++i) {
    auto x = torch::randn({8, 6}, device);
    auto y = (x.select(1, 0) > 0).to(torch::kLong);
    sgd.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net(x), y);
    loss.backward();
    sgd.step();
    last = loss.item<float>();
  }
  return last;
}

int main() {
  torch::manual_seed(23);
  torch::Device device(torch::kCUDA);
  GrowingNet net(6, 10, 2);
  net->grow();
  net->to(device);

  const int stages = 3;
  for (int stage = 0; stage < stages; ++stage) {
    const float loss = train_stage(net, device, 4);
    std::cout << "depth " << net->depth() << " loss " << loss << std::endl;
    if (stage + 1 < stages) net->grow();
  }
  return 0;
}
