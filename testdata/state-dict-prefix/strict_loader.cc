// A loader of parameters and buffers that refuses a state without one of them.
#include <torch/torch.h>

#include <stdexcept>
#include <string>

using State = torch::OrderedDict<std::string, torch::Tensor>;

struct Net : torch::nn::Module {
  Net() {
    fc = register_module("fc", torch::nn::Linear(4, 2));
    mean = register_buffer("mean", torch::zeros(4));
  }
  torch::nn::Linear fc{nullptr};
  torch::Tensor mean;
};

struct Wrapper : torch::nn::Module {
  explicit Wrapper(std::shared_ptr<Net> net) { register_module("module", std::move(net)); }
};

State state_of(const torch::nn::Module& module) {
  State state;
  for (const auto& item : module.named_parameters()) state.insert(item.key(), item.value().clone());
  for (const auto& item : module.named_buffers()) state.insert(item.key(), item.value().clone());
  return state;
}

void load_strictly(torch::nn::Module& module, const State& state) {
  torch::NoGradGuard guard;
  State own = module.named_parameters();
  own.update(module.named_buffers());
  for (auto& item : own) {
    const torch::Tensor* saved = state.find(item.key());  // expect: state-dict-prefix
    if (saved == nullptr) throw std::runtime_error("nothing saved for " + item.key());
    item.value().copy_(*saved);
  }
}

int main() {
  Net net;
  Wrapper wrapped(std::make_shared<Net>());
  load_strictly(wrapped, state_of(net));
}
