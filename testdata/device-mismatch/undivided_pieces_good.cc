// Each piece of the batch moves to the device of its replica.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

#include <vector>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { layer = register_module("layer", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) { return layer->forward(x); }
  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Net);

int main() {
  const std::vector<torch::Device> devices{torch::Device("cuda:0"), torch::Device("cuda:1")};
  Net net;
  net->to(devices[0]);
  auto x = torch::zeros({8, 4}, devices[0]);
  auto replicas = torch::nn::parallel::replicate(net, devices);
  std::vector<torch::Tensor> pieces = x.chunk(static_cast<int64_t>(devices.size()));
  replicas.resize(pieces.size());
  for (size_t i = 0; i < pieces.size(); ++i) pieces[i] = pieces[i].to(devices[i]);
  torch::nn::parallel::parallel_apply(replicas, pieces, devices);
}
