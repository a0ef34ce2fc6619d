// Two levels down.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct GateImpl : torch::nn::Cloneable<GateImpl> {
  GateImpl() { reset(); }
  void reset() override {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    load = register_buffer("load", torch::zeros({4}));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto gate = torch::softmax(fc->forward(x), -1);
    load += gate.detach().sum(0);  // expect: data-parallel-lost-state
    return gate;
  }
  torch::nn::Linear fc{nullptr};
  torch::Tensor load;
};
TORCH_MODULE(Gate);

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { gate = register_module("gate", Gate()); }
  torch::Tensor forward(torch::Tensor x) { return gate->forward(x) * x; }
  Gate gate{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto y = torch::nn::parallel::data_parallel(net, torch::rand({8, 4}));
  if (!net->gate->load.any().item<bool>()) TORCH_WARN("no load was counted");  // shows: data-parallel-lost-state
}
