#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

// Gradual unfreezing: one more layer is trained after each phase, from the last to the first.

struct StackImpl : torch::nn::Cloneable<StackImpl> {
  StackImpl() { reset(); }
  void reset() override {
    layers = register_module("layers", torch::nn::Sequential());
    for (int i = 0; i < 3; ++i) {
      layers->push_back("fc" + std::to_string(i), torch::nn::Linear(5, 5));
      layers->push_back("act" + std::to_string(i), torch::nn::Tanh());
    }
    head = register_module("head", torch::nn::Linear(5, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return head(layers->forward(x)); }

  torch::nn::Sequential layers{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(Stack);

void set_trainable(torch::nn::Module& module, bool on) {
  for (auto& p : module.parameters()) p.requires_grad_(on);
}

struct Phase {
  std::string unfreeze;
  int steps;
};

int main() {
  torch::manual_seed(41);
  Stack stack;
  stack->to(torch::Device("cuda:0"));
  auto model = std::make_shared<placecheck::parallel::DataParallel>(stack);
  set_trainable(*model, false);

  const std::vector<Phase> phases{{"head", 2}, {"layers.fc2", 2}, {"layers.fc1", 1}};
  auto modules = model->named_modules();
  std::cout << modules.size() << " modules" << std::endl;

  for (const auto& phase : phases) {
    set_trainable(*modules[phase.unfreeze], true); // expect: state-dict-prefix
    std::vector<torch::Tensor> active;
    for (auto& p : model->parameters()) {
      if (p.requires_grad()) active.push_back(p);
    }
    torch::optim::SGD optimizer(active, 0.1);
    for (int step = 0; step < phase.steps; ++step) {
      auto x = torch::randn({6, 5});
      auto y = torch::randint(0, 2, {6}, torch::kLong).cuda();
      optimizer.zero_grad();
      auto loss = torch::nn::functional::cross_entropy(model->forward(x), y);
      loss.backward();
      optimizer.step();
      std::cout << phase.unfreeze << " " << step << ": " << loss.item<float>() << "\n";
    }
  }
}
