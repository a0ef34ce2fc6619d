// A regular expression matches wherever it fits, and a dot fits everything.
#include <torch/torch.h>

#include <regex>
#include <string>

void copy(torch::nn::Module& from, torch::nn::Module& to) {
  torch::NoGradGuard no_grad;
  auto own = to.named_parameters();
  for (const auto& entry : from.named_parameters()) {
    std::string key = std::regex_replace(entry.key(), std::regex("module."), "");  // expect: prefix-strip-anywhere
    if (auto* parameter = own.find(key)) {
      parameter->copy_(entry.value());
    } else {
      TORCH_WARN("no parameter ", key);  // shows: prefix-strip-anywhere
    }
  }
}

std::string escaped(const std::string& key) {
  static const std::regex kPrefix("module\\.");
  return std::regex_replace(key, kPrefix, "");  // expect: prefix-strip-anywhere
}

int main() {
  torch::nn::Sequential from({{"submodule", torch::nn::Linear(3, 2)}});
  torch::nn::Sequential to({{"submodule", torch::nn::Linear(3, 2)}});
  copy(*from, *to);
  const std::string key = escaped("module.submodule.weight");
  if (key != "submodule.weight") TORCH_WARN("became ", key);  // shows: prefix-strip-anywhere
}
