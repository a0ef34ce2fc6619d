// The forward calls a method that counts.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    usage = register_buffer("usage", torch::zeros({4}));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto y = fc->forward(x);
    count(y);
    return y;
  }
  void count(const torch::Tensor& y) {
    torch::NoGradGuard no_grad;
    usage.add_(y.sum(0));  // expect: data-parallel-lost-state
  }
  torch::nn::Linear fc{nullptr};
  torch::Tensor usage;
};
TORCH_MODULE(Net);

void step(Net& net, torch::Tensor batch) {
  auto y = torch::nn::parallel::data_parallel(net, batch);
}

int main() {
  Net net;
  net->to(torch::kCUDA);
  step(net, torch::rand({8, 4}));
  if (!net->usage.any().item<bool>()) TORCH_WARN("nothing was counted");  // shows: data-parallel-lost-state
}
