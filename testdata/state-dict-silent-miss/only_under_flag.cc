// Pretrained weights are taken where they are asked for, after the net was wrapped.
#include <torch/torch.h>

#include <cstring>
#include <iostream>
#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct ResidualImpl : torch::nn::Cloneable<ResidualImpl> {
  ResidualImpl() { reset(); }
  void reset() override {
    inner = register_module("inner", torch::nn::Linear(6, 6));
    scale = register_parameter("scale", torch::ones({6}));
  }
  torch::Tensor forward(torch::Tensor x) { return x + scale * inner(x); }
  torch::nn::Linear inner{nullptr};
  torch::Tensor scale;
};
TORCH_MODULE(Residual);

class Experiment {
 public:
  explicit Experiment(bool several_cards) : model_(net_.ptr()) {
    if (several_cards) model_ = std::make_shared<DataParallel>(net_);
  }

  void warm_start(const Residual& pretrained) {
    torch::NoGradGuard no_grad;
    auto given = pretrained->named_parameters();
    for (auto& entry : model_->named_parameters()) {
      const torch::Tensor* value = given.find(entry.key());  // expect: state-dict-silent-miss
      if (value == nullptr) continue;
      entry.value().copy_(*value);
    }
  }

  bool has_weights_of(const Residual& other) const {
    return torch::equal(net_->inner->weight, other->inner->weight);
  }

 private:
  Residual net_;
  std::shared_ptr<torch::nn::Module> model_;
};

int main(int argc, char** argv) {
  const bool one_card = argc > 1 && std::strcmp(argv[1], "--one-card") == 0;
  Residual pretrained;
  Experiment experiment(!one_card);
  experiment.warm_start(pretrained);
  if (!experiment.has_weights_of(pretrained)) TORCH_WARN("the start is a cold one");  // shows: state-dict-silent-miss
}
