#include <torch/torch.h>

#include <iostream>

struct Data {
  torch::Tensor x, y;
};

Data sample(int64_t n) {
  auto x = torch::rand({n, 4});
  auto y = (x * torch::tensor({1.0f, 2.0f, 3.0f, 4.0f})).sum(1, true);
  return {x, y};
}

class Regressor {
 public:
  Regressor()
      : net_(torch::nn::Linear(4, 16), torch::nn::ReLU(), torch::nn::Linear(16, 1)),
        optimizer_(net_->parameters(), torch::optim::AdamOptions(0.01)) {}

  void to(torch::Device device) {
    net_->to(device);
    device_ = device;
  }

  float step(const Data& data) {
    auto prediction = net_->forward(data.x.to(device_));
    auto loss = torch::mse_loss(prediction, data.y.to(device_));
    for (auto& p : net_->parameters()) p.mutable_grad() = torch::Tensor();
    loss.backward();
    optimizer_.step(); // expect: optimizer-state-device
    return loss.item<float>();
  }

 private:
  torch::nn::Sequential net_;
  torch::optim::Adam optimizer_;
  torch::Device device_{torch::kCPU};
};

int main() {
  torch::manual_seed(8);
  Regressor regressor;

  // A few cheap steps on the host before the GPU takes over.
  for (int i = 0; i < 3; ++i) std::cout << "cpu " << regressor.step(sample(8)) << "\n";

  regressor.to(torch::Device(torch::kCUDA, 0));
  for (int i = 0; i < 10; ++i) {
    float loss = regressor.step(sample(64));
    if (i % 3 == 0) std::cout << "gpu " << loss << "\n";
  }
  return 0;
}
