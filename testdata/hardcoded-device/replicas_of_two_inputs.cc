// Each replica adds a tensor that is on cuda:0.
#include <torch/torch.h>

#include <tuple>

#include "runtime/torch/data_parallel.h"

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  std::tuple<torch::Tensor, torch::Tensor> forward(torch::Tensor x, torch::Tensor state) {
    auto noise = torch::zeros({4}, torch::Device("cuda:0"));
    return {fc(x) + noise, state};  // expect: hardcoded-device
  }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::Device("cuda:0"));
  placecheck::parallel::DataParallel parallel(net, {0, 1});
  auto [output, state] = parallel.call<std::tuple<torch::Tensor, torch::Tensor>>(
      torch::rand({8, 4}), torch::rand({8, 2}));
}
