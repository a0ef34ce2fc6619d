// Only a leading "module." is the wrapper's.
#include <torch/torch.h>

#include <iostream>
#include <string>

std::string bare(const std::string& key) {
  const std::string prefix = "module.";
  return key.compare(0, prefix.size(), prefix) == 0 ? key.substr(prefix.size()) : key;
}

int main() {
  torch::nn::Sequential net(torch::nn::Linear(4, 2));
  for (const auto& entry : net->named_parameters())
    std::cout << bare("module." + entry.key()) << '\n';
}
