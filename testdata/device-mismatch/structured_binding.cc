// A sample is a pair; one half is moved.
#include <torch/torch.h>

#include <tuple>
#include <utility>

std::pair<torch::Tensor, torch::Tensor> draw(int64_t n) {
  auto x = torch::rand({n, 3});
  return {x, x.sum(1, true)};
}

std::tuple<torch::Tensor, torch::Tensor> draw_on(int64_t n, torch::Device device) {
  auto x = torch::rand({n, 3}, device);
  return std::make_tuple(x, x.sum(1, true));
}

int main() {
  const torch::Device device(torch::kCUDA);
  torch::nn::Linear model(3, 1);
  model->to(device);
  auto [x, y] = draw(5);
  auto prediction = model(x.to(device));
  auto loss = torch::mse_loss(prediction, y);  // expect: device-mismatch
  auto [u, v] = draw_on(5, device);
  auto good = torch::mse_loss(model(u), v);
  torch::Tensor s, t;
  std::tie(s, t) = draw_on(5, device);
  good = torch::mse_loss(model(s), t);
  return 0;
}
