// Tables of a module's names that the program extends, and dictionaries of its own modules.
#include <torch/torch.h>

#include <map>
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

void load(Net& net, const std::unordered_map<std::string, torch::Tensor>& table) {
  torch::NoGradGuard no_grad;
  for (auto& item : net->named_parameters()) item.value().copy_(table.at(item.key()));
}

std::unordered_map<std::string, torch::Tensor> table_of(const torch::nn::Module& module) {
  std::unordered_map<std::string, torch::Tensor> table;
  for (const auto& item : module.named_parameters()) table[item.key()] = item.value();
  return table;
}

int main() {
  Net net, other;
  Wrapper wrapper(net);
  auto with_both = table_of(wrapper);
  with_both["head.weight"] = net->head->weight;
  with_both["head.bias"] = net->head->bias;
  load(other, with_both);

  auto merged = table_of(wrapper);
  auto bare = table_of(*net);
  merged.merge(bare);
  load(other, merged);

  auto swapped = table_of(wrapper);
  auto of_net = table_of(*net);
  swapped.swap(of_net);
  load(other, swapped);

  auto children = wrapper.named_children();
  children.insert("head", net->head.ptr());
  children["head"]->to(torch::kCUDA);
  auto parameters = wrapper.named_parameters();
  parameters.insert("head.weight", net->head->weight);
  parameters["head.weight"].sum().backward();
}
