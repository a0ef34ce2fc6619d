// Parameters are looked up by the other's names, and a name that is missing is an error.
#include <torch/torch.h>

#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct ActorImpl : torch::nn::Cloneable<ActorImpl> {
  ActorImpl() { reset(); }
  void reset() override {
    fc1 = register_module("fc1", torch::nn::Linear(4, 8));
    fc2 = register_module("fc2", torch::nn::Linear(8, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return fc2(torch::relu(fc1(x))); }
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};
TORCH_MODULE(Actor);

// The target network follows slowly.
void soft_update(torch::nn::Module& target, const torch::nn::Module& source, double rate) {
  torch::NoGradGuard no_grad;
  auto own = target.named_parameters();
  for (const auto& entry : source.named_parameters()) {
    torch::Tensor& parameter = own[entry.key()];  // expect: state-dict-prefix
    parameter.mul_(1 - rate).add_(entry.value(), rate);
  }
}

int main() {
  Actor online, target;
  DataParallel parallel(online);
  soft_update(*target, parallel, 0.01);
}
