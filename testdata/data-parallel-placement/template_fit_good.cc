// A generic training loop that asks the wrapper for its first card.
#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <vector>

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
  auto parallel = std::make_shared<DataParallel>(model, cards);
  parallel->to(parallel->device_ids().front());
  torch::optim::Adam optimizer(model->parameters());
  for (int turn = 0; turn < turns; ++turn) {
    torch::Tensor x = torch::rand({32, 6}), y = torch::rand({32, 1});
    optimizer.zero_grad();
    torch::Tensor output = parallel->forward(x);
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
  Regressor on_one_card;
  fit(on_one_card, loss, DeviceIds{1}, 3);
}
