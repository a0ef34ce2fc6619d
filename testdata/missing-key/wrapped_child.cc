// The children of a wrapper are not those of what it wraps.
#include <torch/torch.h>

#include <iostream>

struct BodyImpl : torch::nn::Module {
  BodyImpl()
      : features(register_module("features", torch::nn::Linear(4, 4))),
        classifier(register_module("classifier", torch::nn::Linear(4, 2))) {}
  torch::Tensor forward(torch::Tensor x) { return classifier(torch::relu(features(x))); }
  torch::nn::Linear features, classifier;
};
TORCH_MODULE(Body);

struct Timed : torch::nn::Module {
  explicit Timed(Body body) : inner(register_module("inner", body)) {}
  torch::Tensor forward(torch::Tensor x) { return inner(x); }
  Body inner;
};

int main() {
  Timed timed{Body()};
  timed.to(torch::kCUDA);
  std::cout << timed.forward(torch::rand({2, 4}, torch::kCUDA)).sizes() << '\n';
  std::cout << timed.inner->named_children()["classifier"]->name() << '\n';
  std::cout << timed.named_children()["classifier"]->name() << '\n';  // expect: missing-key
}
