// Batches that do not divide evenly, and one that is smaller than the number of cards.
#include <torch/torch.h>

#include <iostream>
#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { layer = register_module("layer", torch::nn::Linear(5, 3)); }
  torch::Tensor forward(torch::Tensor x) {
    std::cout << "inside forward: " << x.sizes() << '\n';
    return layer->forward(x);
  }
  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Net);

int main() {
  torch::Device device("cuda:0");
  Net net;
  net->to(device);
  auto parallel = std::make_shared<DataParallel>(net, DeviceIds{0, 1});
  for (int64_t batch : {16, 7, 1}) {
    auto output = parallel->forward(torch::rand({batch, 5}).to(device));
    auto loss = torch::mse_loss(output, torch::zeros({batch, 3}, device));
    loss.backward();
    std::cout << "outside: " << output.sizes() << '\n';
  }
}
