// arguments: 0 1
// State kept in tables, whose names get the prefix and lose it by hand.
#include <torch/torch.h>

#include <cstring>
#include <map>
#include <string>
#include <unordered_map>

struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

struct Wrapper : torch::nn::Module {
  explicit Wrapper(Net net) { module = register_module("module", net); }
  Net module{nullptr};
};

using Table = std::unordered_map<std::string, torch::Tensor>;

Table state_of(const torch::nn::Module& module) {
  Table table;
  for (const auto& each : module.named_parameters()) table[each.key()] = each.value();
  return table;
}

Table with_prefix(const Table& table) {
  Table wrapped;
  for (const auto& [key, value] : table) wrapped["module." + key] = value;
  return wrapped;
}

Table without_prefix(const Table& table) {
  Table bare;
  for (const auto& [key, value] : table)
    bare[key.substr(0, 7) == "module." ? key.substr(7) : key] = value;
  return bare;
}

void load_bare(Net& net, const Table& table) {
  torch::NoGradGuard guard;
  for (auto& each : net->named_parameters())
    each.value().copy_(table.at(each.key()));  // expect: state-dict-prefix
}

void load_wrapped(Wrapper& wrapper, const Table& table) {
  torch::NoGradGuard guard;
  for (auto& each : wrapper.named_parameters())
    each.value().copy_(table.at(each.key()));  // expect: state-dict-prefix
}

int main(int argc, char** argv) {
  Net net;
  Net other;
  Wrapper wrapper{Net()};
  if (argc == 1) {
    load_bare(other, with_prefix(state_of(*net)));
  } else {
    load_wrapped(wrapper, without_prefix(state_of(wrapper)));
  }
}
