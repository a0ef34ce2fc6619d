// A replacement also eats the prefix from the middle of names: "submodule.weight" becomes
// "subweight".
#include <torch/torch.h>

#include <iostream>
#include <string>

std::string bare(std::string key) {
  const std::string prefix = "module.";
  for (size_t at = key.find(prefix); at != std::string::npos; at = key.find(prefix)) {
    key.erase(at, prefix.size());  // expect: prefix-strip-anywhere
  }
  return key;
}

int main() {
  torch::nn::Sequential net({{"submodule", torch::nn::Linear(4, 2)}});
  for (const auto& entry : net->named_parameters()) {
    const std::string key = bare("module." + entry.key());
    std::cout << key << '\n';
    if (key != entry.key()) TORCH_WARN("unexpected key ", key);  // shows: prefix-strip-anywhere
  }
}
