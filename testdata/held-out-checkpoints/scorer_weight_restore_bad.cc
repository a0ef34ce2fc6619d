#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace nn = torch::nn;
using torch::Tensor;

struct ScorerImpl : nn::Cloneable<ScorerImpl> {
  nn::Linear fc1{nullptr}, fc2{nullptr};
  ScorerImpl() { reset(); }
  void reset() override {
    fc1 = register_module("fc1", nn::Linear(10, 8));
    fc2 = register_module("fc2", nn::Linear(8, 1));
  }
  Tensor forward(Tensor x) { return torch::sigmoid(fc2(torch::relu(fc1(x)))); }
};
TORCH_MODULE(Scorer);

using Weights = std::unordered_map<std::string, Tensor>;

Weights collect(const nn::Module& m) {
  Weights weights;
  for (auto& item : m.named_parameters(/*recurse=*/true)) {
    weights.emplace(item.key(), item.value().detach().clone());
  }
  return weights;
}

Weights without_module(Weights weights) {
  Weights result;
  for (auto& entry : weights) {
    std::string name = entry.first;
    if (name.rfind("module", 0) == 0) name = name.substr(6); // expect: prefix-strip-anywhere
    result[name] = entry.second;
  }
  return result;
}

void restore(nn::Module& m, const Weights& weights) {
  torch::NoGradGuard guard;
  for (auto& item : m.named_parameters()) {
    if (!weights.count(item.key())) {
      std::ostringstream message;
      message << "checkpoint has no entry for " << item.key() << " (" << weights.size()
              << " entries)";
      throw std::runtime_error(message.str());
    }
    item.value().copy_(weights.at(item.key()));
  }
}

int main() {
  torch::manual_seed(23);
  Scorer scorer;
  placecheck::parallel::DataParallel wide(scorer, {0, 1});
  wide.to(torch::Device(torch::kCUDA, 0));

  torch::optim::Adagrad optimizer(wide.parameters(), 0.1);
  for (int i = 0; i < 3; ++i) {
    auto x = torch::randn({12, 10});
    auto y = (x.sum(1, true) > 0).to(torch::kFloat).to(torch::kCUDA);
    optimizer.zero_grad();
    auto loss = torch::binary_cross_entropy(wide.forward(x), y);
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << std::endl;
  }

  Weights weights = collect(wide);
  Scorer deployed;
  restore(*deployed, without_module(weights));
  deployed->to(torch::kCUDA);
  std::cout << deployed->forward(torch::randn({3, 10}, torch::kCUDA)).cpu() << std::endl;
}
