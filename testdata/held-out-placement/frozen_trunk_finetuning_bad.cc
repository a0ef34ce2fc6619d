#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <memory>

#include "runtime/torch/data_parallel.h"

// Fine-tunes a head over a frozen trunk, with the batch divided over the cards.

struct TrunkHeadImpl : torch::nn::Cloneable<TrunkHeadImpl> {
  TrunkHeadImpl() { reset(); }

  void reset() override {
    trunk = register_module("trunk", torch::nn::Linear(12, 12));
    head = register_module("head", torch::nn::Linear(12, 2));
    for (auto& p : trunk->parameters()) p.set_requires_grad(false);
  }

  torch::Tensor forward(torch::Tensor x) { return head(torch::relu(trunk(x))); }

  torch::nn::Linear trunk{nullptr}, head{nullptr};
};
TORCH_MODULE(TrunkHead);

struct Job {
  const char* visible;
  std::vector<int> device_ids;
  int steps;
};

void run(const Job& job) {
  setenv("CUDA_VISIBLE_DEVICES", job.visible, 1);
  torch::manual_seed(35);
  torch::Device first(torch::kCUDA, 0);

  TrunkHead model;
  model->to(first);
  placecheck::parallel::DataParallel parallel(model, job.device_ids); // expect: invalid-device

  torch::optim::SGD optimizer(model->head->parameters(), torch::optim::SGDOptions(0.1));
  for (int step = 0; step < job.steps; ++step) {
    auto x = torch::randn({8, 12});
    auto y = (x.sum(1) > 0).to(torch::kLong).to(first);
    auto output = parallel.forward(x);
    auto loss = torch::nn::functional::cross_entropy(output, y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << ": " << loss.item<float>() << "\n";
  }
}

int main() {
  Job job{"0", {0, 1}, 3};
  run(job);
  return 0;
}
