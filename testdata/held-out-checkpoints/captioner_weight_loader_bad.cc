#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <iostream>
#include <string>
#include <unordered_map>

using placecheck::parallel::DataParallel;
using WeightMap = std::unordered_map<std::string, torch::Tensor>;

struct CaptionerImpl : torch::nn::Cloneable<CaptionerImpl> {
  torch::nn::Linear visual{nullptr};
  torch::nn::Linear words{nullptr};
  torch::nn::BatchNorm1d bn{nullptr};

  CaptionerImpl() { reset(); }

  void reset() override {
    visual = register_module("visual", torch::nn::Linear(12, 8));
    bn = register_module("bn", torch::nn::BatchNorm1d(8));
    words = register_module("words", torch::nn::Linear(8, 20));
  }

  torch::Tensor forward(torch::Tensor image) { return words(torch::relu(bn(visual(image)))); }
};
TORCH_MODULE(Captioner);

WeightMap export_weights(const torch::nn::Module& model) {
  WeightMap map;
  for (const auto& pair : model.named_parameters().pairs()) {
    map[pair.first] = pair.second.detach().cpu();
  }
  for (const auto& pair : model.named_buffers().pairs()) {
    map[pair.first] = pair.second.cpu();
  }
  return map;
}

class WeightLoader {
 public:
  explicit WeightLoader(WeightMap weights) : weights_(std::move(weights)) {}

  void into(torch::nn::Module& model) const {
    torch::NoGradGuard no_grad;
    for (auto& p : model.named_parameters()) assign(p.key(), p.value());
    for (auto& b : model.named_buffers()) assign(b.key(), b.value());
  }

 private:
  void assign(const std::string& name, torch::Tensor& target) const {
    const auto& value = weights_.at(name); // expect: state-dict-prefix
    target.copy_(value, /*non_blocking=*/true);
  }

  WeightMap weights_;
};

int main() {
  torch::manual_seed(43);
  const torch::Device device("cuda:0");

  Captioner small;
  small->to(device);
  small->forward(torch::randn({8, 12}, device));
  WeightLoader loader(export_weights(*small));

  // From here on with both GPUs and a larger batch.
  DataParallel model(Captioner(), {0, 1});
  model.to(device);
  loader.into(model);

  torch::optim::Adam optimizer(model.parameters(), torch::optim::AdamOptions(1e-3));
  for (int step = 0; step < 3; ++step) {
    auto images = torch::randn({16, 12});
    auto words = torch::randint(0, 20, {16}, torch::kLong).to(device);
    optimizer.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(model.forward(images), words);
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << std::endl;
  }
  return 0;
}
