// The module has no buffers: the second loop has no iterations.
#include <torch/torch.h>

#include <map>
#include <string>

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::nn::Linear fc{nullptr};
};

struct Wrapper : torch::nn::Module {
  explicit Wrapper(std::shared_ptr<Net> net) { register_module("module", std::move(net)); }
};

int main() {
  Wrapper wrapped(std::make_shared<Net>());
  std::map<std::string, torch::Tensor> state;
  for (const auto& item : wrapped.named_parameters()) state[item.key().substr(7)] = item.value();
  std::map<std::string, torch::Tensor> buffers;
  for (const auto& item : wrapped.named_buffers()) buffers[item.key()] = item.value();
  Net net;
  torch::NoGradGuard guard;
  for (auto& item : net.named_parameters()) item.value().copy_(state.at(item.key()));
  for (auto& item : net.named_buffers()) item.value().copy_(buffers.at(item.key()));
}
