// devices: 1
// All devices, of which there is one.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { seen = register_buffer("seen", torch::zeros({1})); }
  torch::Tensor forward(torch::Tensor x) {
    seen.add_(x.size(0));
    return x;
  }
  torch::Tensor seen;
};
TORCH_MODULE(Net);

int main() {
  Net net;
  auto y = torch::nn::parallel::data_parallel(net, torch::rand({8, 4}));
}
