#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <iostream>
#include <map>
#include <string>

struct MatcherImpl : torch::nn::Cloneable<MatcherImpl> {
  MatcherImpl() { reset(); }

  void reset() override {
    text_module = register_module(
        "text_module", torch::nn::Sequential(torch::nn::Linear(6, 6), torch::nn::Tanh()));
    image_module = register_module(
        "image_module", torch::nn::Sequential(torch::nn::Linear(6, 6), torch::nn::Tanh()));
    logit = register_module("logit", torch::nn::Linear(6, 1));
  }

  torch::Tensor forward(torch::Tensor pair) {
    auto text = text_module->forward(pair.select(1, 0));
    auto image = image_module->forward(pair.select(1, 1));
    return logit->forward(text * image);
  }

  torch::nn::Sequential text_module{nullptr}, image_module{nullptr};
  torch::nn::Linear logit{nullptr};
};
TORCH_MODULE(Matcher);

std::string remove_all(std::string text, const std::string& what) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.erase(at, what.size()); // expect: prefix-strip-anywhere
  }
  return text;
}

std::map<std::string, torch::Tensor> clean_state(const torch::nn::Module& model) {
  std::map<std::string, torch::Tensor> state;
  for (const auto& item : model.named_parameters()) {
    state[remove_all(item.key(), "module.")] = item.value().detach().to(torch::kCPU, true);
  }
  return state;
}

void assign(torch::nn::Module& model, const std::map<std::string, torch::Tensor>& state) {
  torch::NoGradGuard no_grad;
  for (auto& item : model.named_parameters()) {
    item.value().copy_(state.at(item.key()));
  }
}

int main() {
  torch::manual_seed(12);
  Matcher matcher;
  placecheck::parallel::DataParallel model(matcher, {0, 1});
  model.to(torch::Device("cuda:0"));
  torch::optim::SGD optimizer(model.parameters(), 0.2);

  for (int step = 0; step < 3; ++step) {
    auto pairs = torch::randn({6, 2, 6});
    auto target = torch::ones({6, 1}, torch::Device("cuda:0"));
    optimizer.zero_grad();
    auto loss = torch::binary_cross_entropy_with_logits(model.forward(pairs), target);
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << "\n";
  }

  auto state = clean_state(model);
  std::cout << state.size() << " entries in the state\n";
  Matcher fresh;
  assign(*fresh, state);
  fresh->to(torch::Device("cuda:1"));
  auto score = fresh->forward(torch::randn({1, 2, 6}, torch::Device("cuda:1")));
  std::cout << "score " << score.item<float>() << "\n";
  return 0;
}
