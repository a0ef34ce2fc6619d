// Generic helpers: whether a name is there is asked by contains(), and by what find() returns.
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

template <typename Source, typename Target>
size_t copy_matching(const Source& source, Target& target) {
  torch::NoGradGuard no_grad;
  size_t copied = 0;
  auto saved = source->named_parameters();
  for (auto& entry : target->named_parameters()) {
    if (!saved.contains(entry.key())) continue;  // expect: state-dict-silent-miss
    entry.value().copy_(saved[entry.key()]);
    ++copied;
  }
  return copied;
}

template <typename Update>
void for_matching(const torch::nn::Module& from, torch::nn::Module& to, const Update& update) {
  auto own = to.named_parameters();
  for (const auto& entry : from.named_parameters()) {
    torch::Tensor* parameter = own.find(entry.key());  // expect: state-dict-silent-miss
    if (!parameter) continue;
    update(*parameter, entry.value());
  }
}

int main() {
  Critic online, target;
  auto parallel = std::make_shared<DataParallel>(online);
  std::cout << copy_matching(online, target) << " copied\n";
  online->value->bias.data().fill_(1);
  std::cout << copy_matching(parallel, target) << " copied\n";
  if (!torch::equal(target->value->bias, online->value->bias)) TORCH_WARN("not copied");  // shows: state-dict-silent-miss
  int updates = 0;
  for_matching(*online, *parallel, [&updates](torch::Tensor& to, const torch::Tensor& from) {
    torch::NoGradGuard no_grad;
    to.mul_(0.99).add_(from, 0.01);
    ++updates;
  });
  if (updates == 0) TORCH_WARN("not updated");  // shows: state-dict-silent-miss
}
