// In evaluation a normalisation only reads.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { norm = register_module("norm", torch::nn::BatchNorm1d(4)); }
  torch::Tensor forward(torch::Tensor x) { return norm->forward(x); }
  torch::nn::BatchNorm1d norm{nullptr};
};
TORCH_MODULE(Net);

torch::Tensor predict(Net& net, torch::Tensor batch) {
  return torch::nn::parallel::data_parallel(net, batch);
}

int main() {
  Net net;
  net->to(torch::kCUDA);
  net->eval();
  auto y = predict(net, torch::rand({8, 4}));
  net->train(false);
  y = predict(net, y);
}
