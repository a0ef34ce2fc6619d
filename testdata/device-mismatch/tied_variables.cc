// Results that are taken apart by std::tie and std::forward_as_tuple, also nested.
#include <torch/torch.h>

#include <tuple>

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(4, 8));
  lstm->to(device);
  auto x = torch::rand({3, 2, 4}).to(device);
  auto h = torch::zeros({1, 2, 8}).to(device), c = torch::zeros({1, 2, 8}).to(device);
  auto target = torch::rand({3, 2, 8});
  torch::Tensor output;
  std::forward_as_tuple(output, std::tie(h, c)) = lstm->forward(x, std::make_tuple(h, c));
  auto loss = torch::mse_loss(output, target);  // expect: device-mismatch
  auto state = h + torch::zeros({1, 2, 8});     // expect: device-mismatch

  torch::Tensor values, indices;
  std::tie(values, std::ignore) = output.max(2);
  auto sum = values + target.sum(2);  // expect: device-mismatch
  std::tie(std::ignore, indices) = target.max(2);
  auto same = indices + torch::zeros({3, 2});
}
