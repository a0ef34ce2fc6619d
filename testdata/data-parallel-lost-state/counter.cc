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
  if (net->seen.item<float>() == 0) TORCH_WARN("nothing was seen");  // shows: data-parallel-lost-state
  if (net->calls == 0) TORCH_WARN("no call was counted");  // shows: data-parallel-lost-state
  if (net->means.empty()) TORCH_WARN("no means are left");  // shows: data-parallel-lost-state
}
