// A list of which nothing is known may hold one device.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

#include <vector>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    ++calls;
    return fc->forward(x);
  }
  torch::nn::Linear fc{nullptr};
  int calls = 0;
};
TORCH_MODULE(Net);

torch::Tensor run(Net& net, torch::Tensor x, const std::vector<torch::Device>& devices) {
  return torch::nn::parallel::data_parallel(net, x, devices);
}
