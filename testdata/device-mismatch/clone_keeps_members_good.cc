// clone() moves what is registered, and reset() makes the rest anew.
#include <torch/torch.h>

#include <memory>

struct Whiten : torch::nn::Cloneable<Whiten> {
  Whiten() { reset(); }
  void reset() override {
    out = register_module("out", torch::nn::Linear(6, 3));
    mean = register_buffer("mean", torch::zeros(6));
    scale = torch::ones({});
  }
  void fit(const torch::Tensor& x) {
    mean.copy_(x.mean(0));
    scale = x.std();
  }
  torch::Tensor forward(const torch::Tensor& x) { return out((x - mean) * scale); }
  torch::Tensor mean, scale;
  torch::nn::Linear out{nullptr};
};

int main() {
  const torch::Device first(torch::kCUDA, 0), second(torch::kCUDA, 1);
  auto net = std::make_shared<Whiten>();
  net->to(first);
  net->fit(torch::rand({10, 6}, first));
  net->forward(torch::rand({4, 6}, first));
  auto copy = std::dynamic_pointer_cast<Whiten>(net->clone(second));
  copy->forward(torch::rand({4, 6}, second));
}
