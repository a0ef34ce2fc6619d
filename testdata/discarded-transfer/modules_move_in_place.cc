// What is in place by definition, or whose result is used.
#include <torch/script.h>
#include <torch/torch.h>

#include <iostream>

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(2, 2)); }
  torch::nn::Linear fc{nullptr};
};

class Batch {
 public:
  Batch& to(torch::Device device) {
    x_ = x_.to(device);
    y_ = y_.to(device);
    return *this;
  }
  torch::Tensor sum() const { return x_ + y_; }

 private:
  torch::Tensor x_ = torch::rand({2}), y_ = torch::rand({2});
};

torch::Tensor to(torch::Tensor& t, torch::Device device) {
  t = t.to(device);
  return t;
}

void consume(const torch::Tensor& t) { std::cout << t.sizes() << std::endl; }

int main() {
  torch::Device device(torch::kCUDA);
  Net by_value;
  by_value.to(device);
  auto shared = std::make_shared<Net>();
  shared->to(device);
  torch::nn::Linear holder(2, 2);
  holder->to(device);
  holder->to(device, torch::kFloat32);
  torch::nn::Sequential sequence{torch::nn::Linear(2, 2)};
  sequence->to(device);
  torch::jit::Module scripted("scripted");
  scripted.to(device);
  Batch batch;
  batch.to(device);
  auto t = torch::rand({2});
  to(t, device);
  consume(t.to(device));
  auto sum = batch.sum() + t;
  auto& reference = sum;
  reference = reference.to(torch::kCPU);
  t.to(torch::kCPU).add_(1);
  std::cout << sum.to(device).device() << std::endl;
}
