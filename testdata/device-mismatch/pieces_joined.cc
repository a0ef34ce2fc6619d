// The pieces of a batch are computed on a device each, and joined there.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

#include <vector>

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
  auto pieces = torch::randn({8, 4}, devices[0]).chunk(static_cast<int64_t>(devices.size()));
  for (size_t i = 0; i < pieces.size(); ++i) pieces[i] = pieces[i].to(devices[i]);
  auto replicas = torch::nn::parallel::replicate(net, devices);
  auto outputs = torch::nn::parallel::parallel_apply(replicas, pieces, devices);
  auto joined = torch::cat(outputs);  // expect: device-mismatch
}
