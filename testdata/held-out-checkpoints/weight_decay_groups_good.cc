#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <iostream>
#include <string>
#include <vector>

using placecheck::parallel::DataParallel;

struct TaggerImpl : torch::nn::Cloneable<TaggerImpl> {
  torch::nn::Linear embed{nullptr}, hidden{nullptr}, tag{nullptr};
  torch::nn::LayerNorm norm{nullptr};

  TaggerImpl() { reset(); }

  void reset() override {
    embed = register_module("embed", torch::nn::Linear(12, 16));
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({16})));
    hidden = register_module("hidden", torch::nn::Linear(16, 16));
    tag = register_module("tag", torch::nn::Linear(16, 5));
  }

  torch::Tensor forward(torch::Tensor x) {
    return tag->forward(torch::relu(hidden->forward(norm->forward(embed->forward(x)))));
  }
};
TORCH_MODULE(Tagger);

bool ends_with(const std::string& text, const std::string& tail) {
  return text.size() >= tail.size() &&
         text.compare(text.size() - tail.size(), tail.size(), tail) == 0;
}

// Biases and the norm get no weight decay.
std::vector<torch::optim::OptimizerParamGroup> decay_groups(const torch::nn::Module& model,
                                                            double decay) {
  std::vector<torch::Tensor> with, without;
  for (const auto& item : model.named_parameters()) {
    const std::string& name = item.key();
    if (ends_with(name, ".bias") || name.find("norm.") != std::string::npos) {
      without.push_back(item.value());
    } else {
      with.push_back(item.value());
    }
  }
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(with, std::make_unique<torch::optim::AdamWOptions>(
                                torch::optim::AdamWOptions(1e-3).weight_decay(decay)));
  groups.emplace_back(without, std::make_unique<torch::optim::AdamWOptions>(
                                   torch::optim::AdamWOptions(1e-3).weight_decay(0)));
  return groups;
}

int main() {
  torch::manual_seed(0);
  const torch::Device first("cuda:0");
  Tagger tagger;
  DataParallel model(tagger, {0, 1});
  model.to(first);

  auto groups = decay_groups(model, 0.01);
  std::cout << groups[0].params().size() << " with decay, " << groups[1].params().size()
            << " without\n";
  torch::optim::AdamW optimizer(groups);

  // The largest weight is logged; through the wrapper its name has the prefix.
  for (int step = 0; step < 3; ++step) {
    auto batch = torch::randn({8, 12});
    auto target = torch::randint(0, 5, {8}, torch::kLong).to(first);
    optimizer.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(model.forward(batch), target);
    loss.backward();
    optimizer.step();
    auto weight = model.named_parameters()["module.tag.weight"];
    std::cout << "step " << step << " loss " << loss.item<float>() << " max "
              << weight.abs().max().item<float>() << "\n";
  }
  std::cout << tagger->named_parameters()["hidden.bias"].device() << "\n";
  return 0;
}
