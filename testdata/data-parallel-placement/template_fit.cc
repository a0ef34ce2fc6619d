// A generic training loop moves what it is given to "cuda", whatever the list of cards begins with.
#include <torch/torch.h>

#include <iostream>
#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct RegressorImpl : torch::nn::Cloneable<RegressorImpl> {
  RegressorImpl() { reset(); }
  void reset() override {
    layers = register_module(
        "layers", torch::nn::Sequential(torch::nn::Linear(6, 16), torch::nn::ReLU(),
                                        torch::nn::Linear(16, 1)));
  }
  torch::Tensor forward(torch::Tensor x) { return layers->forward(x); }

  torch::nn::Sequential layers{nullptr};
};
TORCH_MODULE(Regressor);

template <typename Model, typename Loss>
void fit(Model& model, const Loss& loss_of, const DeviceIds& cards, int turns) {
  model->to(torch::kCUDA);
  auto parallel = std::make_shared<DataParallel>(model, cards);
  torch::optim::Adam optimizer(model->parameters());
  for (int turn = 0; turn < turns; ++turn) {
    torch::Tensor x = torch::rand({32, 6}), y = torch::rand({32, 1});
    optimizer.zero_grad();
    torch::Tensor output = parallel->forward(x);  // expect: data-parallel-placement
    torch::Tensor loss = loss_of(output, y.to(output.device()));
    loss.backward();
    optimizer.step();
    std::cout << turn << ": " << loss.item<float>() << '\n';
  }
}

int main() {
  Regressor model;
  auto loss = [](const torch::Tensor& a, const torch::Tensor& b) { return torch::mse_loss(a, b); };
  fit(model, loss, DeviceIds{2, 3}, 3);
}
