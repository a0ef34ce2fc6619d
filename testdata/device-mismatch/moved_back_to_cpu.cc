// The model goes to the CPU to be evaluated, and training goes on without moving it back.
#include <torch/torch.h>

float evaluate(torch::nn::Linear& model) {
  model->to(torch::kCPU);
  torch::NoGradGuard no_grad;
  return model->forward(torch::rand({16, 4})).mean().item<float>();
}

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear model(4, 1);
  model->to(device);
  auto x = torch::rand({8, 4}, device);
  auto before = model->forward(x);
  evaluate(model);
  auto after = model->forward(x);  // expect: device-mismatch
  model->to(device);
  after = model->forward(x);
  return 0;
}
