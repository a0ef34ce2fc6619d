// Replicated by hand.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>


struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    ++calls;  // expect: data-parallel-lost-state
    return fc->forward(x);
  }
  torch::nn::Linear fc{nullptr};
  int calls = 0;
};
TORCH_MODULE(Net);

int main() {
  Net net;
  std::vector<torch::Device> devices{torch::Device("cuda:0"), torch::Device("cuda:1")};
  auto copies = torch::nn::parallel::replicate(net, devices);
  auto y = copies[0]->forward(torch::rand({8, 4}, devices[0]));
  if (net->calls == 0) TORCH_WARN("no call was counted");  // shows: data-parallel-lost-state
}
