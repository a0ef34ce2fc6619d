// A trainer owns model, optimizer and device; one of its methods forgets the transfer.
#include <torch/torch.h>

#include <memory>

class Trainer {
 public:
  Trainer(std::shared_ptr<torch::nn::LinearImpl> model, torch::Device device)
      : model_(std::move(model)), device_(device) {
    model_->to(device_);
    optimizer_ = std::make_unique<torch::optim::Adam>(model_->parameters());
  }
  void train(torch::Tensor x, torch::Tensor y) {
    x = x.to(device_);
    y = y.to(device_);
    optimizer_->zero_grad();
    torch::mse_loss(model_->forward(x), y).backward();
    optimizer_->step();
  }
  float evaluate(torch::Tensor x, torch::Tensor y) {
    torch::NoGradGuard no_grad;
    x = x.to(device_);
    auto loss = torch::mse_loss(model_->forward(x), y);  // expect: device-mismatch
    return loss.item<float>();
  }

 private:
  std::shared_ptr<torch::nn::LinearImpl> model_;
  torch::Device device_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
};

int main() {
  Trainer trainer(std::make_shared<torch::nn::LinearImpl>(4, 1), torch::kCUDA);
  trainer.train(torch::rand({8, 4}), torch::rand({8, 1}));
  trainer.evaluate(torch::rand({8, 4}), torch::rand({8, 1}));
}
