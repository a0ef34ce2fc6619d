// A small function kept in a variable.
#include <torch/torch.h>

#include <regex>
#include <string>

int main() {
  auto strip = [](const std::string& key) {
    return std::regex_replace(key, std::regex("module."), std::string(""));  // expect: prefix-strip-anywhere
  };
  auto cut = [](const std::string& key) {
    return key.rfind("module.", 0) == 0 ? key.substr(6) : key;  // expect: prefix-strip-anywhere
  };
  torch::nn::Sequential net({{"submodule", torch::nn::Linear(2, 2)}});
  for (const auto& entry : net->named_parameters()) {
    auto a = strip("module." + entry.key());
    auto b = cut("module." + entry.key());
    if (a != entry.key()) TORCH_WARN(entry.key(), " became ", a);  // shows: prefix-strip-anywhere
    if (b != entry.key()) TORCH_WARN(entry.key(), " became ", b);  // shows: prefix-strip-anywhere
  }
}
