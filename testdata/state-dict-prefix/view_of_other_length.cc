// Wrapped twice, and the prefix is taken off once, with the length of a view.
#include <torch/torch.h>

#include <string>
#include <string_view>
#include <unordered_map>

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::nn::Linear fc{nullptr};
};

struct Wrapper : torch::nn::Module {
  explicit Wrapper(std::shared_ptr<torch::nn::Module> net) { register_module("module", std::move(net)); }
};

constexpr std::string_view kPrefix = "module.";

int main() {
  Wrapper wrapped(std::make_shared<Wrapper>(std::make_shared<Net>()));
  std::unordered_map<std::string, torch::Tensor> state;
  for (const auto& item : wrapped.named_parameters())
    state.emplace(item.key().substr(kPrefix.size()), item.value());
  Net net;
  torch::NoGradGuard guard;
  for (auto& item : net.named_parameters())
    item.value().copy_(state.at(item.key()));  // expect: state-dict-prefix
}
