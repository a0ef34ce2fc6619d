#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

// Moves a batch of named tensors to wherever a model is.

struct NamedTensor {
  std::string name;
  torch::Tensor value;
};

std::string device_name(const torch::Tensor& t) {
  return "cuda:" + std::to_string(t.device().index());
}

std::vector<NamedTensor> move_to(const std::vector<NamedTensor>& batch, const std::string& where) {
  torch::Device target(where); // expect: invalid-device
  std::vector<NamedTensor> moved;
  for (const auto& entry : batch) moved.push_back({entry.name, entry.value.to(target)});
  return moved;
}

class TwoTower : public torch::nn::Module {
 public:
  TwoTower()
      : user(register_module("user", torch::nn::Linear(5, 4))),
        item(register_module("item", torch::nn::Linear(7, 4))) {}

  torch::Tensor forward(const std::vector<NamedTensor>& batch) {
    torch::Tensor u, i;
    for (const auto& entry : batch) {
      if (entry.name == "user") u = user->forward(entry.value);
      if (entry.name == "item") i = item->forward(entry.value);
    }
    return (u * i).sum(1);
  }

  torch::nn::Linear user, item;
};

std::vector<NamedTensor> next_batch(int64_t n) {
  return {{"user", torch::randn({n, 5})}, {"item", torch::randn({n, 7})}};
}

int main() {
  torch::manual_seed(27);
  torch::NoGradGuard no_grad;
  TwoTower model;

  // Baseline score before the model goes to the GPU.
  auto first = move_to(next_batch(3), device_name(model.user->weight));
  std::cout << "cold: " << model.forward(first).mean().item<float>() << "\n";

  model.to(torch::Device(torch::kCUDA, 1));
  for (int i = 0; i < 3; ++i) {
    auto batch = move_to(next_batch(3), device_name(model.user->weight));
    std::cout << "warm: " << model.forward(batch).mean().item<float>() << "\n";
  }
  return 0;
}
