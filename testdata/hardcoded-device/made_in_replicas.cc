// data_parallel runs the forward once for each device, on a copy of the module that is there.
#include <torch/torch.h>

#include <torch/nn/parallel/data_parallel.h>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  torch::nn::Linear fc{nullptr};
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) {
    auto on_first = torch::ones({2}, torch::Device(torch::kCUDA, 0));
    return fc->forward(x) + on_first;  // expect: hardcoded-device
  }
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto x = torch::rand({8, 4}, torch::kCUDA);
  auto y = torch::nn::parallel::data_parallel(net, x);
}
