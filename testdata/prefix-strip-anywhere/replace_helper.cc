// The usual helper that replaces everything, called for the prefix.
#include <torch/torch.h>

#include <map>
#include <string>

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  size_t position = 0;
  while ((position = text.find(from, position)) != std::string::npos) {
    text.replace(position, from.length(), to);  // expect: prefix-strip-anywhere
    position += to.length();
  }
}

std::map<std::string, torch::Tensor> renamed(torch::nn::Module& module) {
  std::map<std::string, torch::Tensor> state;
  for (const auto& entry : module.named_parameters()) {
    std::string key = entry.key();
    replace_all(key, "module.", "");
    state[key] = entry.value();
  }
  return state;
}

int main() {
  torch::nn::Sequential net;
  net->push_back("submodule", torch::nn::Linear(3, 2));
  if (renamed(*net).count("submodule.weight") == 0) TORCH_WARN("the weight is missing");  // shows: prefix-strip-anywhere
}
