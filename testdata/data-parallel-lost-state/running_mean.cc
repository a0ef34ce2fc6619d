// A running mean kept by hand.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct NormImpl : torch::nn::Cloneable<NormImpl> {
  NormImpl() { reset(); }
  void reset() override { mean = register_buffer("mean", torch::zeros({4})); }
  torch::Tensor forward(torch::Tensor x) {
    torch::NoGradGuard no_grad;
    mean.mul_(0.9).add_(x.mean(0), 0.1);  // expect: data-parallel-lost-state
    return x - mean;
  }
  torch::Tensor mean;
};
TORCH_MODULE(Norm);

int main() {
  Norm norm;
  auto y = torch::nn::parallel::data_parallel(norm, torch::rand({8, 4}));
  if (!norm->mean.any().item<bool>()) TORCH_WARN("no mean was kept");  // shows: data-parallel-lost-state
}
