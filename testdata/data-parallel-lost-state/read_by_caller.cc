// What the forward leaves behind is read from outside, or by a getter.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

#include <iostream>

struct AttentionImpl : torch::nn::Cloneable<AttentionImpl> {
  AttentionImpl() { reset(); }
  void reset() override { proj = register_module("proj", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    auto scores = proj->forward(x);
    weights = torch::softmax(scores, -1);  // expect: data-parallel-lost-state
    penalty_ = scores.pow(2).mean();       // expect: data-parallel-lost-state
    return weights * x;
  }
  torch::Tensor penalty() const { return penalty_; }
  torch::nn::Linear proj{nullptr};
  torch::Tensor weights;

 private:
  torch::Tensor penalty_;
};
TORCH_MODULE(Attention);

int main() {
  Attention net;
  net->to(torch::kCUDA);
  auto y = torch::nn::parallel::data_parallel(net, torch::rand({8, 4}));
  std::cout << (net->weights.defined() ? "attended" : "nothing was attended to") << std::endl;
  if (!net->weights.defined()) TORCH_WARN("no weights are left");  // shows: data-parallel-lost-state
  auto loss = y.sum() + net->penalty();  // shows: data-parallel-lost-state
}
