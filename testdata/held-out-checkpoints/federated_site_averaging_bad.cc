#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/torch/data_parallel.h"

// Federated averaging of two sites. Each site sends its weights as a pickled dictionary.

using TensorDict = c10::Dict<std::string, torch::Tensor>;

struct SiteNetImpl : torch::nn::Cloneable<SiteNetImpl> {
  SiteNetImpl() { reset(); }
  void reset() override {
    conv = register_module("conv", torch::nn::Conv1d(torch::nn::Conv1dOptions(1, 3, 3)));
    fc = register_module("fc", torch::nn::Linear(3 * 6, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return fc(torch::relu(conv(x)).flatten(1)); }
  torch::nn::Conv1d conv{nullptr};
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(SiteNet);

std::vector<char> pack(const torch::nn::Module& module) {
  TensorDict dict;
  for (const auto& item : module.named_parameters()) {
    dict.insert(item.key(), item.value().detach().cpu());
  }
  return torch::pickle_save(dict);
}

TensorDict unpack(const std::vector<char>& message) {
  auto generic = torch::pickle_load(message).toGenericDict();
  return c10::impl::toTypedDict<std::string, torch::Tensor>(generic);
}

template <typename Model>
void train_locally(Model& model, torch::Device device) {
  torch::optim::SGD sgd(model.parameters(), 0.1);
  for (int i = 0; i < 2; ++i) {
    auto signal = torch::randn({6, 1, 8}, device);
    auto label = torch::randint(0, 2, {6}, torch::kLong).to(device);
    auto loss = torch::nn::functional::cross_entropy(model.forward(signal), label);
    sgd.zero_grad();
    loss.backward();
    sgd.step();
  }
}

void average_into(SiteNet& global, const std::vector<TensorDict>& sites) {
  torch::NoGradGuard guard;
  for (auto& item : global->named_parameters()) {
    std::vector<torch::Tensor> values;
    for (const auto& site : sites) values.push_back(site.at(item.key())); // expect: state-dict-prefix
    item.value().copy_(torch::stack(values).mean(0));
  }
}

int main() {
  torch::manual_seed(31);
  const torch::Device device(torch::kCUDA, 0);
  SiteNet global;
  std::vector<TensorDict> received;

  // The small site has one GPU.
  SiteNet small;
  small->to(device);
  train_locally(*small, device);
  received.push_back(unpack(pack(*small)));

  // The big site has two.
  placecheck::parallel::DataParallel big(SiteNet(), {0, 1});
  big.to(device);
  train_locally(big, device);
  received.push_back(unpack(pack(big)));

  average_into(global, received);
  std::cout << "round finished, " << global->parameters().size() << " tensors averaged\n";
  return 0;
}
