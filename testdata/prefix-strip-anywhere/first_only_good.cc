// One occurrence, where it is found.
#include <torch/torch.h>

#include <string>

std::string stripped(std::string key) {
  size_t at = key.find("module.");
  if (at != std::string::npos) key.erase(at, 7);
  return key;
}

void strip_all_keys(torch::nn::Module& module) {
  for (const auto& entry : module.named_parameters()) {
    std::string key = entry.key();
    auto at = key.find("module.");
    if (at != std::string::npos) key.replace(at, 7, "");
  }
}

int main() {
  torch::nn::Sequential net(torch::nn::Linear(3, 2));
  strip_all_keys(*net);
  return stripped("module.submodule.weight") == "submodule.weight" ? 0 : 1;
}
