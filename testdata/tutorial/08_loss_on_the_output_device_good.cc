// Split the batch, gather on the first device, and compute the loss there.
#include <torch/torch.h>

#include <iostream>
#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct FooNetImpl : torch::nn::Cloneable<FooNetImpl> {
  FooNetImpl() { reset(); }
  void reset() override {
    linears = register_module("linears", torch::nn::ModuleList());
    linears->push_back(torch::nn::Linear(torch::nn::LinearOptions(5, 8).bias(false)));
    linears->push_back(torch::nn::Linear(torch::nn::LinearOptions(8, 8).bias(false)));
    linears->push_back(torch::nn::Linear(torch::nn::LinearOptions(8, 3).bias(false)));
  }

  torch::Tensor forward(torch::Tensor x) {
    std::cout << "inside forward: " << x.sizes() << '\n';
    for (size_t i = 0; i < linears->size(); ++i) {
      x = torch::relu(linears->ptr<torch::nn::LinearImpl>(i)->forward(x));
    }
    return x;
  }

  torch::nn::ModuleList linears{nullptr};
};
TORCH_MODULE(FooNet);

int main() {
  const torch::Device first("cuda:0"), second("cuda:1");
  FooNet net;
  net->to(first);
  auto parallel = std::make_shared<DataParallel>(net, DeviceIds{first, second});
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 10; ++step) {
    torch::Tensor labels = torch::randint(0, 3, {16});
    torch::Tensor output = parallel->forward(torch::rand({16, 5}));
    torch::Tensor loss = torch::cross_entropy_loss(output, labels.to(output.device()));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
