// What is needed comes back with the output, and the caller keeps it.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    mean = register_buffer("mean", torch::zeros({4}));
  }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x) - mean; }
  void update(const torch::Tensor& y) { mean.mul_(0.9).add_(y.detach().mean(0), 0.1); }
  torch::nn::Linear fc{nullptr};
  torch::Tensor mean;
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto y = torch::nn::parallel::data_parallel(net, torch::rand({8, 4}));
  net->update(y);
}
