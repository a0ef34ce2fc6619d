// The constructor looks the devices up.
#include <torch/torch.h>

#include <cstdlib>

#include "runtime/torch/data_parallel.h"

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) { return fc(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

int main() {
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);
  Net net;
  net->to(torch::kCUDA);
  placecheck::parallel::DataParallel parallel(net, {0, 1});  // expect: invalid-device
}
