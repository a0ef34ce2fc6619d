#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

class AutoEncoderImpl : public torch::nn::Cloneable<AutoEncoderImpl> {
 public:
  explicit AutoEncoderImpl(int64_t width) : width_(width) { reset(); }

  void reset() override {
    enc_ = register_module("enc", torch::nn::Linear(width_, width_ / 4));
    dec_ = register_module("dec", torch::nn::Linear(width_ / 4, width_));
  }

  torch::Tensor forward(torch::Tensor x) { return dec_->forward(torch::tanh(enc_->forward(x))); }

 private:
  int64_t width_;
  torch::nn::Linear enc_{nullptr}, dec_{nullptr};
};
TORCH_MODULE(AutoEncoder);

template <typename Net>
double one_epoch(Net& net, torch::optim::Optimizer& optimizer, torch::Device device) {
  double sum = 0;
  for (int i = 0; i < 2; ++i) {
    auto x = torch::rand({8, 16}, device);
    optimizer.zero_grad();
    auto loss = torch::mse_loss(net.forward(x), x);
    loss.backward();
    optimizer.step();
    sum += loss.template item<double>();
  }
  return sum / 2;
}

int main() {
  torch::manual_seed(9);
  const std::string checkpoint = "/tmp/autoencoder.pt";
  const torch::Device device("cuda:0");

  {
    // Pre-training on one GPU.
    AutoEncoder net(16);
    net->to(device);
    torch::optim::RMSprop optimizer(net->parameters(), 1e-3);
    std::cout << "pre-training: " << one_epoch(*net, optimizer, device) << std::endl;
    torch::save(net, checkpoint);
  }

  // Fine-tuning on all of them.
  auto model = std::make_shared<placecheck::parallel::DataParallel>(AutoEncoder(16));
  model->to(device);
  torch::load(model, checkpoint); // expect: state-dict-prefix
  torch::optim::RMSprop optimizer(model->parameters(), 1e-4);
  for (int epoch = 0; epoch < 3; ++epoch) {
    std::cout << "fine-tuning: " << one_epoch(*model, optimizer, device) << std::endl;
  }
  std::remove(checkpoint.c_str());
  return 0;
}
