// One device or several, on either side of the file.
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

void single_to_single() {
  FooNet net, fresh;
  torch::save(net, "single.pt");
  torch::load(fresh, "single.pt");
}

void single_to_multi() {
  FooNet net, fresh;
  torch::save(net, "single.pt");
  torch::load(fresh, "single.pt");
  auto parallel = std::make_shared<DataParallel>(fresh);
}

void multi_to_single() {
  FooNet net, fresh;
  auto parallel = std::make_shared<DataParallel>(net);
  torch::save(parallel->module(), "multi.pt");
  torch::load(fresh, "multi.pt");
}

void multi_to_multi() {
  FooNet net, fresh;
  auto parallel = std::make_shared<DataParallel>(net);
  torch::save(parallel, "multi.pt");
  auto again = std::make_shared<DataParallel>(fresh);
  torch::load(again, "multi.pt");
}

int main() {
  single_to_single();
  single_to_multi();
  multi_to_single();
  multi_to_multi();
}
