// Whether the saved keys have the prefix, and whether the module's have it, are two questions.
#include <torch/torch.h>

#include <map>
#include <string>

using State = std::map<std::string, torch::Tensor>;

struct Net : torch::nn::Module {
  torch::nn::Linear fc = register_module("fc", torch::nn::Linear(4, 2));
};

struct Wrapped : torch::nn::Module {
  explicit Wrapped(std::shared_ptr<Net> net) { register_module("module", net); }
};

bool has_prefix(const std::string& key) { return key.rfind("module.", 0) == 0; }

State state_of(const torch::nn::Module& module) {
  State state;
  for (const auto& each : module.named_parameters()) state[each.key()] = each.value().detach().cpu();
  return state;
}

void restore(torch::nn::Module& module, const State& state) {
  torch::NoGradGuard no_grad;
  const bool saved_wrapped = has_prefix(state.begin()->first);
  for (auto& each : module.named_parameters()) {
    std::string key = each.key();
    const bool own_wrapped = has_prefix(key);
    if (saved_wrapped && !own_wrapped) key = "module." + key;
    if (!saved_wrapped && own_wrapped) key.erase(0, 7);
    each.value().copy_(state.at(key));
  }
}

int main() {
  auto wrapped = std::make_shared<Wrapped>(std::make_shared<Net>());
  wrapped->to(torch::kCUDA);
  auto bare = std::make_shared<Net>();
  restore(*bare, state_of(*wrapped));
  restore(*wrapped, state_of(*bare));
}
