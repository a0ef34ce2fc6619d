// arguments: 0 1
// The same, with the wrapper on one side of the file only.
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

void single_to_multi() {
  FooNet net, fresh;
  torch::save(net, "single.pt");
  auto parallel = std::make_shared<DataParallel>(fresh);
  torch::load(parallel, "single.pt");  // expect: state-dict-prefix
}

void multi_to_single() {
  FooNet net, fresh;
  auto parallel = std::make_shared<DataParallel>(net);
  torch::save(parallel, "multi.pt");
  torch::load(fresh, "multi.pt");  // expect: state-dict-prefix
}

int main(int argc, char** argv) {
  if (argc == 1) single_to_multi();
  multi_to_single();
}
