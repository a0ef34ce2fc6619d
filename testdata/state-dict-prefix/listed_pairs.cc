// The pairs of a dictionary have its names.
#include <torch/torch.h>

#include <string>
#include <unordered_map>

struct NetImpl : torch::nn::Module {
  NetImpl() : head(register_module("head", torch::nn::Linear(4, 2))) {}
  torch::nn::Linear head;
};
TORCH_MODULE(Net);

struct Wrapper : torch::nn::Module {
  explicit Wrapper(Net net) : module(register_module("module", net)) {}
  Net module;
};

int main() {
  Net net;
  Wrapper wrapper{Net()};
  std::unordered_map<std::string, torch::Tensor> table;
  for (const auto& pair : net->named_parameters().pairs()) table[pair.first] = pair.second;
  torch::NoGradGuard no_grad;
  for (auto& item : wrapper.named_parameters())
    item.value().copy_(table.at(item.key()));  // expect: state-dict-prefix
}
