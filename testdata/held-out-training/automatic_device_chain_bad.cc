#include <torch/torch.h>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

// Layers are dealt out to the GPUs in order, like a simple automatic device map.
class Chain {
 public:
  void add(torch::nn::AnyModule layer) { layers_.push_back({std::move(layer), torch::kCPU}); }

  void distribute(const std::vector<torch::Device>& devices) {
    const size_t per_device = (layers_.size() + devices.size() - 1) / devices.size();
    for (size_t i = 0; i < layers_.size(); ++i) {
      layers_[i].device = devices[i / per_device];
      layers_[i].module.ptr()->to(layers_[i].device);
    }
  }

  torch::Tensor forward(torch::Tensor x) {
    for (auto& layer : layers_) x = layer.module.forward(x.to(layer.device));
    return x;
  }

  std::vector<torch::Tensor> parameters() const {
    std::vector<torch::Tensor> all;
    for (const auto& layer : layers_) {
      for (const auto& p : layer.module.ptr()->parameters()) all.push_back(p);
    }
    return all;
  }

  std::string describe() const {
    std::string text;
    for (const auto& layer : layers_) {
      text += layer.module.ptr()->name() + " on " + layer.device.str() + "\n";
    }
    return text;
  }

 private:
  struct Layer {
    torch::nn::AnyModule module;
    torch::Device device;
  };
  std::vector<Layer> layers_;
};

Chain build(int64_t width, int depth) {
  Chain chain;
  chain.add(torch::nn::AnyModule(torch::nn::Linear(5, width)));
  for (int i = 0; i < depth; ++i) {
    chain.add(torch::nn::AnyModule(torch::nn::Tanh()));
    chain.add(torch::nn::AnyModule(torch::nn::Linear(width, width)));
  }
  chain.add(torch::nn::AnyModule(torch::nn::Linear(width, 2)));
  return chain;
}

int main() {
  torch::manual_seed(31);
  Chain chain = build(12, 3);
  chain.distribute({torch::Device("cuda:0"), torch::Device("cuda:1")});
  std::cout << chain.describe();

  auto params = chain.parameters();
  torch::optim::SGD sgd(params, torch::optim::SGDOptions(0.1).momentum(0.9));

  auto x = torch::randn({20, 5});
  auto y = x.select(1, 0).gt(x.select(1, 1)).to(torch::kLong);
  for (int step = 0; step < 4; ++step) {
    sgd.zero_grad();
    auto logits = chain.forward(x);
    auto loss = torch::nn::functional::cross_entropy(logits, y.to(logits.device()));
    loss.backward();
    double norm = torch::nn::utils::clip_grad_norm_(params, 1.0); // expect-miss: device-mismatch
    sgd.step();
    std::cout << "step " << step << " loss " << loss.item<float>() << " norm " << norm << "\n";
  }
  return 0;
}
