// Keys of which each begins with the prefix: where that is asked, the answer is known.
#include <torch/torch.h>

#include <string>

struct WrapperImpl : torch::nn::Module {
  explicit WrapperImpl(torch::nn::Linear net) : module(register_module("module", net)) {}
  torch::Tensor forward(torch::Tensor x) { return module(x); }
  torch::nn::Linear module;
};
TORCH_MODULE(Wrapper);

void load_into(torch::nn::Linear& net, const torch::nn::Module& from) {
  torch::NoGradGuard no_grad;
  auto parameters = net->named_parameters();
  for (const auto& each : from.named_parameters()) {
    std::string key = each.key();
    if (key.rfind("module.", 0) == 0) key = key.substr(std::string("module.").size());
    if (auto* parameter = parameters.find(key)) parameter->copy_(each.value());
  }
}

int main() {
  Wrapper wrapped{torch::nn::Linear(4, 2)};
  torch::nn::Linear bare(4, 2);
  load_into(bare, *wrapped);
  load_into(bare, *wrapped->module);
  return 0;
}
