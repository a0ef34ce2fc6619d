// Generic helpers that are given the nets, not their wrappers.
#include <torch/torch.h>

#include <iostream>
#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct CriticImpl : torch::nn::Cloneable<CriticImpl> {
  CriticImpl() { reset(); }
  void reset() override {
    state = register_module("state", torch::nn::Linear(4, 8));
    value = register_module("value", torch::nn::Linear(8, 1));
  }
  torch::Tensor forward(torch::Tensor x) { return value(torch::relu(state(x))); }
  torch::nn::Linear state{nullptr}, value{nullptr};
};
TORCH_MODULE(Critic);

const torch::nn::Module& inner(const torch::nn::Module& module) {
  const auto* wrapper = dynamic_cast<const DataParallel*>(&module);
  return wrapper ? *wrapper->module() : module;
}

template <typename Update>
void for_matching(const torch::nn::Module& from, torch::nn::Module& to, const Update& update) {
  auto own = to.named_parameters();
  for (const auto& entry : inner(from).named_parameters()) {
    torch::Tensor* parameter = own.find(entry.key());
    if (!parameter) continue;
    update(*parameter, entry.value());
  }
}

// A name of the wrapper is looked up without its first part.
size_t copy_from_wrapper(const DataParallel& from, torch::nn::Module& to) {
  torch::NoGradGuard no_grad;
  size_t copied = 0;
  auto own = to.named_parameters();
  for (const auto& entry : from.named_parameters()) {
    const std::string name = entry.key().substr(entry.key().find('.') + 1);
    if (!own.contains(name)) continue;
    own[name].copy_(entry.value());
    ++copied;
  }
  return copied;
}

int main() {
  Critic online, target;
  auto parallel = std::make_shared<DataParallel>(online);
  auto update = [](torch::Tensor& to, const torch::Tensor& from) {
    torch::NoGradGuard no_grad;
    to.mul_(0.99).add_(from, 0.01);
  };
  for_matching(*online, *target, update);
  for_matching(*parallel->module(), *target, update);
  for_matching(*parallel, *target, update);
  std::cout << copy_from_wrapper(*parallel, *target) << '\n';
}
