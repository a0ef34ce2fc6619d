// Gradients are where the inputs are that they were taken by.
#include <torch/torch.h>

torch::Tensor penalty(torch::nn::Sequential& critic, const torch::Tensor& real,
                      const torch::Tensor& made, const torch::Tensor& weights) {
  auto mixed = (weights * real + (1 - weights) * made).set_requires_grad(true);
  auto scores = critic->forward(mixed);
  auto gradients = torch::autograd::grad({scores}, {mixed}, {torch::ones_like(scores)},
                                         /*retain_graph=*/true, /*create_graph=*/true);
  auto norms = gradients[0].norm(2, 1);
  return ((norms - 1) * weights.squeeze(1)).mean();
}

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Sequential critic(torch::nn::Linear(6, 8), torch::nn::ReLU(), torch::nn::Linear(8, 1));
  critic->to(device);
  auto real = torch::rand({4, 6}, device);
  auto made = torch::rand({4, 6}, device);
  auto good = penalty(critic, real, made, torch::rand({4, 1}, device));
  auto input = real.clone().set_requires_grad(true);
  auto slopes = torch::autograd::grad({critic->forward(input).sum()}, {input});
  auto bad = slopes[0] * torch::rand({4, 6});  // expect: device-mismatch
  critic[0]->to(torch::kCPU);
  critic->forward(real);  // expect: device-mismatch
  return 0;
}
