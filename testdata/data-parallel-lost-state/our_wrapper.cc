// The wrapper copies the module as well.
#include <torch/torch.h>

#include <memory>

#include "runtime/torch/data_parallel.h"

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    steps = steps + 1;  // expect: data-parallel-lost-state
    return fc->forward(x);
  }
  torch::nn::Linear fc{nullptr};
  int steps = 0;
};
TORCH_MODULE(Net);

int main() {
  torch::Device first("cuda:0"), second("cuda:1");
  Net net;
  net->to(first);
  placecheck::parallel::DataParallel parallel(net, placecheck::parallel::DeviceIds{first, second});
  auto y = parallel.forward(torch::rand({8, 4}));
  if (net->steps == 0) TORCH_WARN("no step was counted");  // shows: data-parallel-lost-state
}
