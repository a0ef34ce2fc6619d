// Lambdas see the places of what they capture.
#include <torch/torch.h>

#include <functional>

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear model(4, 1);
  model->to(device);
  auto bias = torch::ones({1});

  auto good = [&](torch::Tensor x) { return model->forward(x.to(device)); };
  auto bad = [&](torch::Tensor x) {
    return model->forward(x.to(device)) + bias.expand({2, 1});  // expect: device-mismatch
  };
  std::function<torch::Tensor(torch::Tensor)> loss = [device](torch::Tensor y) {
    return torch::mse_loss(y, torch::zeros({2, 1}, device));
  };
  auto x = torch::rand({2, 4});
  loss(good(x));
  loss(bad(x));
}
