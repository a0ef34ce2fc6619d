// A moving average is kept by name, of the wrapper's parameters; it is put into the bare net.
#include <torch/torch.h>

#include <memory>
#include <string>
#include <unordered_map>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    first = register_module("first", torch::nn::Linear(6, 12));
    second = register_module("second", torch::nn::Linear(12, 3));
  }
  torch::Tensor forward(torch::Tensor x) { return second(torch::relu(first(x))); }
  torch::nn::Linear first{nullptr}, second{nullptr};
};
TORCH_MODULE(Net);

class MovingAverage {
 public:
  MovingAverage(const torch::nn::Module& model, double decay) : decay_(decay) {
    for (const auto& entry : model.named_parameters()) {
      shadow_[entry.key()] = entry.value().detach().clone();
    }
  }

  void update(const torch::nn::Module& model) {
    torch::NoGradGuard no_grad;
    for (const auto& entry : model.named_parameters()) {
      shadow_[entry.key()].mul_(decay_).add_(entry.value(), 1 - decay_);
    }
  }

  void apply_to(torch::nn::Module& model) const {
    torch::NoGradGuard no_grad;
    for (auto& entry : model.named_parameters()) {
      auto found = shadow_.find(entry.key());  // expect: state-dict-silent-miss
      if (found != shadow_.end()) entry.value().copy_(found->second);
    }
  }

 private:
  double decay_;
  std::unordered_map<std::string, torch::Tensor> shadow_;
};

int main() {
  Net net;
  DataParallel parallel(net);
  parallel.to(torch::Device(torch::kCUDA, 0));
  MovingAverage average(parallel, 0.99);
  for (int turn = 0; turn < 3; ++turn) {
    parallel.forward(torch::rand({8, 6})).pow(2).mean().backward();
    average.update(parallel);
  }
  Net averaged;
  averaged->to(torch::Device(torch::kCUDA, 0));
  const torch::Tensor before = averaged->first->weight.clone();
  average.apply_to(*averaged);
  if (torch::equal(averaged->first->weight, before)) TORCH_WARN("not averaged");  // shows: state-dict-silent-miss
}
