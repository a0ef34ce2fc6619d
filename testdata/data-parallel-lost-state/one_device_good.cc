// With one device nothing is copied.
// devices: 4
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

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

int main() {
  Net net;
  std::vector<torch::Device> devices{torch::Device("cuda:0")};
  auto y = torch::nn::parallel::data_parallel(net, torch::rand({8, 4}), devices);
}
