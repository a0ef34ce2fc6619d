// Pretrained weights are taken before the net is wrapped, whether it is or not.
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
  Experiment(bool several_cards, const Residual& pretrained) : model_(net_.ptr()) {
    warm_start(pretrained);
    if (!several_cards) return;
    wrapper_ = std::make_shared<DataParallel>(net_);
    model_ = wrapper_;
  }

  // Later on, too: into what is wrapped.
  void warm_start(const Residual& pretrained) {
    torch::NoGradGuard no_grad;
    auto given = pretrained->named_parameters();
    torch::nn::Module& target = wrapper_ ? *wrapper_->module() : *model_;
    for (auto& entry : target.named_parameters()) {
      const torch::Tensor* value = given.find(entry.key());
      if (value == nullptr) continue;
      entry.value().copy_(*value);
    }
  }

 private:
  Residual net_;
  std::shared_ptr<torch::nn::Module> model_;
  std::shared_ptr<DataParallel> wrapper_;
};

int main(int argc, char** argv) {
  const bool one_card = argc > 1 && std::strcmp(argv[1], "--one-card") == 0;
  Residual pretrained;
  Experiment experiment(!one_card, pretrained);
  experiment.warm_start(pretrained);
}
