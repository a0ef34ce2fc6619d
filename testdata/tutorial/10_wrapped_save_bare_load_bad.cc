// Every key of the wrapper's file begins with "module.".
#include <torch/torch.h>

#include <iostream>
#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct FooNetImpl : torch::nn::Module {
  FooNetImpl() {
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
  FooNet net;
  auto parallel = std::make_shared<DataParallel>(net);
  torch::save(parallel, "foo_net.pt");

  FooNet fresh;
  torch::load(fresh, "foo_net.pt");  // expect: state-dict-prefix
}
