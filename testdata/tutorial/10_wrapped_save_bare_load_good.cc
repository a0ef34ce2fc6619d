// Save what is inside the wrapper, or load into a wrapper.
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
  torch::save(net, "inner.pt");
  torch::save(parallel, "wrapped.pt");

  FooNet fresh;
  torch::load(fresh, "inner.pt");
  FooNet second;
  auto wrapped = std::make_shared<DataParallel>(second);
  torch::load(wrapped, "wrapped.pt");
}
