// The state is sent as a pickled dictionary.
#include <torch/torch.h>

#include <string>
#include <vector>

using State = c10::Dict<std::string, torch::Tensor>;

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::nn::Linear fc{nullptr};
};

struct Wrapper : torch::nn::Module {
  explicit Wrapper(std::shared_ptr<Net> net) { register_module("module", std::move(net)); }
};

std::vector<char> pack(const torch::nn::Module& module) {
  State state;
  for (const auto& item : module.named_parameters()) state.insert(item.key(), item.value());
  return torch::pickle_save(state);
}

State unpack(const std::vector<char>& bytes) {
  return c10::impl::toTypedDict<std::string, torch::Tensor>(
      torch::pickle_load(bytes).toGenericDict());
}

int main() {
  Wrapper wrapped(std::make_shared<Net>());
  State state = unpack(pack(wrapped));
  Net net;
  torch::NoGradGuard guard;
  for (auto& item : net.named_parameters())
    item.value().copy_(state.at(item.key()));  // expect: state-dict-prefix
}
