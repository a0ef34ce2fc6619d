// Sixteen samples over two devices: wrapped before it is moved, moved before it runs.
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
  const torch::Device device("cuda:0");
  FooNet net;
  auto parallel = std::make_shared<DataParallel>(net, DeviceIds{device, torch::Device("cuda:1")});
  parallel->to(device);
  torch::Tensor input = torch::rand({16, 5}).to(device);
  torch::Tensor output = parallel->forward(input);
  std::cout << "outside: " << output.sizes() << '\n';
  torch::Tensor total = output + torch::ones({16, 3}, device);
}
