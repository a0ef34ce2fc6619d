// Counters of every kind, in the forward of copies.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

#include <vector>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    seen = register_buffer("seen", torch::zeros({1}));
  }
  torch::Tensor forward(torch::Tensor x) {
    seen += x.size(0);     // expect: data-parallel-lost-state
    ++calls;               // expect: data-parallel-lost-state
    means.push_back(x.mean());  // expect: data-parallel-lost-state
    return fc->forward(x);
  }
  torch::nn::Linear fc{nullptr};
  torch::Tensor seen;
  int calls = 0;
  std::vector<torch::Tensor> means;
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto y = torch::nn::parallel::data_parallel(net, torch::rand({8, 4}));
}
