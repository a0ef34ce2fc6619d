// arguments: 0 1
// The wrapped net was never moved; another lives on the second of the devices.
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

int main(int argc, char** argv) {
  const torch::Device first("cuda:0"), second("cuda:1");
  torch::Tensor input = torch::rand({16, 5});

  torch::Tensor output;
  if (argc == 1) {
    FooNet on_host;
    auto unmoved = std::make_shared<DataParallel>(on_host, DeviceIds{first, second});
    output = unmoved->forward(input);  // expect: data-parallel-placement
  }

  FooNet net;
  auto elsewhere = std::make_shared<DataParallel>(net, DeviceIds{first, second});
  elsewhere->to(second);
  output = elsewhere->forward(input);  // expect: data-parallel-placement
}
