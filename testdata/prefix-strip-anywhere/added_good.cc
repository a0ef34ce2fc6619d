// The prefix is put on.
#include <torch/torch.h>

#include <map>
#include <string>

std::map<std::string, torch::Tensor> wrapped(torch::nn::Module& module) {
  std::map<std::string, torch::Tensor> state;
  for (const auto& entry : module.named_parameters()) state["module." + entry.key()] = entry.value();
  return state;
}

int main() {
  torch::nn::Linear net(2, 2);
  return wrapped(*net).count("module.weight") == 1 ? 0 : 1;
}
