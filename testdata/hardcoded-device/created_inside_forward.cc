// A factory call inside forward makes a CPU tensor, whatever the input's device is.
#include <torch/torch.h>

struct PositionsImpl : torch::nn::Module {
  explicit PositionsImpl(int64_t size) {
    table = register_module("table", torch::nn::Embedding(32, size));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto ids = torch::arange(x.size(1));
    return x + table->forward(ids);  // expect: hardcoded-device
  }
  torch::nn::Embedding table{nullptr};
};
TORCH_MODULE(Positions);

struct CausalImpl : torch::nn::Module {
  CausalImpl() { proj = register_module("proj", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    auto scores = proj->forward(x).matmul(x.transpose(1, 2));
    auto mask = torch::triu(torch::ones({x.size(1), x.size(1)}), 1);
    scores = scores - mask * 1e9;  // expect: hardcoded-device
    return torch::softmax(scores, -1).matmul(x);
  }
  torch::nn::Linear proj{nullptr};
};
TORCH_MODULE(Causal);

int main() {
  Positions positions(4);
  Causal causal;
  positions->to(torch::kCUDA);
  causal->to(torch::kCUDA);
  auto x = torch::rand({2, 6, 4}, torch::kCUDA);
  x = causal->forward(x);
  x = positions->forward(x);
}
