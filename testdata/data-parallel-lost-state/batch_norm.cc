// The library's own running statistics are written in copies, too.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    norm = register_module("norm", torch::nn::BatchNorm1d(4));
  }
  torch::Tensor forward(torch::Tensor x) { return norm->forward(fc->forward(x)); }
  torch::nn::Linear fc{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  net->train();
  auto y = torch::nn::parallel::data_parallel(net, torch::rand({32, 4}));  // expect: data-parallel-lost-state
  if (!net->norm->running_mean.any().item<bool>()) TORCH_WARN("no statistics");  // shows: data-parallel-lost-state
  net->eval();
  y = torch::nn::parallel::data_parallel(net, torch::rand({8, 4}));
}
