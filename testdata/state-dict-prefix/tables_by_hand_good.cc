// State kept in tables, whose names get the prefix and lose it by hand, in many spellings.
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

bool is_wrapped(const std::string& key) { return key.rfind("module.", 0) == 0; }

bool begins_with(const std::string& key, const char* part) {
  return std::strncmp(key.c_str(), part, std::strlen(part)) == 0;
}

std::string first_part_dropped(const std::string& key) {
  const auto dot = key.find('.');
  return dot != std::string::npos && key.substr(0, dot) == "module" ? key.substr(dot + 1) : key;
}

std::string bare(const std::string& key, int way) {
  std::string name = key;
  switch (way) {
    case 0:
      return key.find("module.") == 0 ? key.substr(7) : key;
    case 1:
      return key.compare(0, 7, "module.") == 0 ? key.substr(7) : key;
    case 2:
      if (is_wrapped(name)) name.erase(0, 7);
      return name;
    case 3:
      if (begins_with(name, "module.")) name = name.substr(std::strlen("module."));
      return name;
    case 4:
      if (name.size() > 7 && name.substr(0, 7) == "module.") name.replace(0, 7, "");
      return name;
    default:
      return first_part_dropped(key);
  }
}

Table stripped(const Table& table, int way) {
  Table result;
  for (const auto& [key, value] : table) result.emplace(bare(key, way), value);
  return result;
}

void load(torch::nn::Module& module, const Table& table) {
  torch::NoGradGuard guard;
  for (auto& each : module.named_parameters()) each.value().copy_(table.at(each.key()));
}

// The names of wrapped and of bare state are tried.
void load_either(torch::nn::Module& module, const Table& table) {
  torch::NoGradGuard guard;
  for (auto& each : module.named_parameters()) {
    auto found = table.find(each.key());
    if (found == table.end()) found = table.find("module." + each.key());
    each.value().copy_(found->second);
  }
}

int main() {
  Net net;
  Net other;
  Wrapper wrapper{Net()};
  for (int way = 0; way < 6; ++way) {
    load(*other, stripped(state_of(wrapper), way));
    load(*other, stripped(state_of(*net), way));
  }
  load_either(*other, state_of(wrapper));
  Table wrapped;
  for (const auto& [key, value] : state_of(*net)) wrapped["module." + key] = value;
  load(wrapper, wrapped);
}
