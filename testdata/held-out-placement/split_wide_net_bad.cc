#include <torch/torch.h>

#include <iostream>
#include <memory>

// A model too wide for one card: the lower half on the first GPU, the upper half on the second.

class SplitNet : public torch::nn::Module {
 public:
  SplitNet(torch::Device low, torch::Device high)
      : low_device(low), high_device(high) {
    low_part = register_module("low", torch::nn::Sequential(torch::nn::Linear(10, 40), torch::nn::ReLU()));
    high_part = register_module("high", torch::nn::Sequential(torch::nn::Linear(40, 40), torch::nn::ReLU(), torch::nn::Linear(40, 4)));
    low_part->to(low_device);
    high_part->to(high_device);
  }

  torch::Tensor forward(torch::Tensor x) {
    x = low_part->forward(x);
    return high_part->forward(x.to(high_device));
  }

 private:
  torch::Device low_device, high_device;
  torch::nn::Sequential low_part{nullptr}, high_part{nullptr};
};

template <typename Net>
class Trainer {
 public:
  Trainer(std::shared_ptr<Net> net, double lr)
      : net_(std::move(net)),
        optimizer_(net_->parameters(), torch::optim::SGDOptions(lr).momentum(0.9)),
        device_(net_->parameters().front().device()) {}

  float step(torch::Tensor x, torch::Tensor y) {
    x = x.to(device_);
    y = y.to(device_);
    optimizer_.zero_grad();
    auto output = net_->forward(x);
    auto loss = torch::nn::functional::cross_entropy(output, y); // expect: device-mismatch
    loss.backward();
    optimizer_.step();
    return loss.template item<float>();
  }

 private:
  std::shared_ptr<Net> net_;
  torch::optim::SGD optimizer_;
  torch::Device device_;
};

int main() {
  torch::manual_seed(23);
  auto net = std::make_shared<SplitNet>(torch::Device(torch::kCUDA, 0), torch::Device(torch::kCUDA, 1));
  Trainer<SplitNet> trainer(net, 0.01);
  for (int i = 0; i < 5; ++i) {
    auto x = torch::randn({12, 10});
    auto y = torch::randint(4, {12}, torch::kLong);
    std::cout << "step " << i << ": " << trainer.step(x, y) << "\n";
  }
  return 0;
}
