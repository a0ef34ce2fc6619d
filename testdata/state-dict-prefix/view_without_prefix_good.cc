// The view drops the prefix in place.
#include <torch/torch.h>

#include <string>
#include <string_view>
#include <unordered_map>

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::nn::Linear fc{nullptr};
};

struct Wrapper : torch::nn::Module {
  explicit Wrapper(std::shared_ptr<Net> net) { register_module("module", std::move(net)); }
};

int main() {
  Wrapper wrapped(std::make_shared<Net>());
  std::unordered_map<std::string, torch::Tensor> state;
  const auto names = wrapped.named_parameters();
  for (const auto& item : names) {
    std::string_view name = item.key();
    name.remove_prefix(7);
    state.emplace(std::string(name), item.value());
  }
  Net net;
  torch::NoGradGuard guard;
  for (auto& item : net.named_parameters()) item.value().copy_(state.at(item.key()));
}
