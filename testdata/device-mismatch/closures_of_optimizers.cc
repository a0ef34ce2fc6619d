// What an optimizer is given to call computes the loss: it runs within step().
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(4, 1);
  net->to(device);
  auto x = torch::rand({8, 4});
  auto y = torch::rand({8, 1}, device);
  torch::optim::LBFGS lbfgs(net->parameters(), torch::optim::LBFGSOptions(0.1));
  auto good = [&]() -> torch::Tensor {
    lbfgs.zero_grad();
    auto loss = torch::mse_loss(net(x.to(device)), y);
    loss.backward();
    return loss;
  };
  lbfgs.step(good);
  torch::optim::SGD sgd(net->parameters(), 0.1);
  sgd.step([&]() -> torch::Tensor {
    sgd.zero_grad();
    auto loss = torch::mse_loss(net(x), y);  // expect: device-mismatch
    loss.backward();
    return loss;
  });
  return 0;
}
