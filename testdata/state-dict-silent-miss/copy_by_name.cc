// Parameters copied by name between a wrapper and a bare module: no name matches.
#include <torch/torch.h>

#include <memory>

#include "runtime/torch/data_parallel.h"

int main() {
  torch::NoGradGuard no_grad;
  torch::nn::Linear net(8, 2);
  auto parallel = std::make_shared<placecheck::parallel::DataParallel>(net);
  torch::nn::Linear fresh(8, 2);
  auto own = fresh->named_parameters();
  for (const auto& entry : net->named_parameters()) {
    if (auto* parameter = own.find(entry.key())) parameter->copy_(entry.value());
  }
  for (auto& parameter : net->parameters()) parameter.mul_(2);
  for (const auto& entry : parallel->named_parameters()) {
    auto* parameter = own.find(entry.key());  // expect: state-dict-silent-miss
    if (parameter != nullptr) parameter->copy_(entry.value());
  }
  if (!torch::equal(fresh->weight, net->weight)) TORCH_WARN("not copied");  // shows: state-dict-silent-miss
  return 0;
}
