// clone() moves what is registered; a tensor that is only a member stays where the original has it.
#include <torch/torch.h>

#include <memory>

struct Whiten : torch::nn::Cloneable<Whiten> {
  Whiten() { reset(); }
  void reset() override { out = register_module("out", torch::nn::Linear(6, 3)); }
  void fit(const torch::Tensor& x) { mean = x.mean(0); }
  torch::Tensor forward(const torch::Tensor& x) {
    return out(x - mean);  // expect: device-mismatch
  }
  torch::Tensor mean;
  torch::nn::Linear out{nullptr};
};

int main() {
  const torch::Device first(torch::kCUDA, 0), second(torch::kCUDA, 1);
  auto net = std::make_shared<Whiten>();
  net->to(first);
  net->fit(torch::rand({10, 6}, first));
  auto copy = std::dynamic_pointer_cast<Whiten>(net->clone(second));
  copy->forward(torch::rand({4, 6}, second));
}
