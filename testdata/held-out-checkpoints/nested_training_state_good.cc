#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

// A whole training state as one nested dictionary: weights, momentum buffers and counters.

using Dict = c10::impl::GenericDict;

Dict string_dict(c10::TypePtr value) { return Dict(c10::StringType::get(), std::move(value)); }

struct Momentum {
  double lr, beta;
  torch::OrderedDict<std::string, torch::Tensor> velocity;

  void step(torch::nn::Module& model) {
    torch::NoGradGuard guard;
    for (auto& p : model.named_parameters()) {
      if (!p.value().grad().defined()) continue;
      if (!velocity.contains(p.key())) velocity.insert(p.key(), torch::zeros_like(p.value()));
      auto& v = velocity[p.key()];
      v.mul_(beta).add_(p.value().grad());
      p.value().sub_(v, lr);
      p.value().grad().zero_();
    }
  }
};

std::vector<char> freeze_state(const torch::nn::Module& model, const Momentum& momentum, int64_t step) {
  Dict weights = string_dict(c10::TensorType::get());
  for (const auto& p : model.named_parameters()) weights.insert(p.key(), p.value().detach().clone());
  Dict velocity = string_dict(c10::TensorType::get());
  for (const auto& v : momentum.velocity) velocity.insert(v.key(), v.value());
  Dict state = string_dict(c10::AnyType::get());
  state.insert("weights", weights);
  state.insert("velocity", velocity);
  state.insert("step", step);
  return torch::pickle_save(state);
}

int64_t thaw_state(const std::vector<char>& bytes, torch::nn::Module& model, Momentum& momentum) {
  const Dict state = torch::pickle_load(bytes).toGenericDict();
  const Dict weights = state.at("weights").toGenericDict();
  const Dict velocity = state.at("velocity").toGenericDict();
  torch::NoGradGuard guard;
  momentum.velocity.clear();
  for (auto& p : model.named_parameters()) {
    p.value().copy_(weights.at(p.key()).toTensor());
    momentum.velocity.insert(p.key(), velocity.at(p.key()).toTensor().to(p.value().device()));
  }
  return state.at("step").toInt();
}

void train(torch::nn::Sequential& model, Momentum& momentum, torch::Device device, int steps) {
  for (int i = 0; i < steps; ++i) {
    auto x = torch::randn({8, 4}, device);
    auto loss = torch::mse_loss(model->forward(x), x.narrow(1, 0, 1));
    loss.backward();
    momentum.step(*model);
    std::cout << "loss " << loss.item<float>() << "\n";
  }
}

torch::nn::Sequential make_model() {
  return torch::nn::Sequential(torch::nn::Linear(4, 6), torch::nn::Sigmoid(), torch::nn::Linear(6, 1));
}

int main() {
  const torch::Device old_gpu("cuda:1"), new_gpu("cuda:0");
  auto model = make_model();
  model->to(old_gpu);
  Momentum momentum{0.1, 0.9, torch::OrderedDict<std::string, torch::Tensor>()};
  train(model, momentum, old_gpu, 3);
  const auto bytes = freeze_state(*model, momentum, 3);

  auto resumed = make_model();
  resumed->to(new_gpu);
  Momentum resumed_momentum{0.05, 0.9, torch::OrderedDict<std::string, torch::Tensor>()};
  const int64_t step = thaw_state(bytes, *resumed, resumed_momentum);
  std::cout << "resumed at step " << step << "\n";
  train(resumed, resumed_momentum, new_gpu, 2);
}
