// replicate() and parallel_apply(), with pieces of a batch that stay where it was.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

#include <vector>

namespace parallel = torch::nn::parallel;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

int main() {
  std::vector<torch::Device> devices{{torch::kCUDA, 0}, {torch::kCUDA, 1}};
  Net net;
  net->to(devices[0]);
  auto batch = torch::randn({8, 4}, devices[0]);
  auto replicas = parallel::replicate(net, devices);
  auto parts = batch.chunk(2);
  auto outputs = parallel::parallel_apply(replicas, parts, devices);  // expect: device-mismatch
}
