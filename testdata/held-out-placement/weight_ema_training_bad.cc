#include <torch/torch.h>

#include <iostream>
#include <memory>

class MlpImpl : public torch::nn::Cloneable<MlpImpl> {
 public:
  MlpImpl(int64_t in, int64_t hidden, int64_t out) : in_(in), hidden_(hidden), out_(out) { reset(); }

  void reset() override {
    fc1_ = register_module("fc1", torch::nn::Linear(in_, hidden_));
    fc2_ = register_module("fc2", torch::nn::Linear(hidden_, out_));
  }

  torch::Tensor forward(const torch::Tensor& x) { return fc2_(torch::gelu(fc1_(x))); }

 private:
  int64_t in_, hidden_, out_;
  torch::nn::Linear fc1_{nullptr}, fc2_{nullptr};
};

// Keeps an exponential moving average of the weights of a model.
class Ema {
 public:
  Ema(MlpImpl& source, double decay)
      : shadow_(std::dynamic_pointer_cast<MlpImpl>(source.clone())), decay_(decay) {
    for (auto& p : shadow_->parameters()) p.set_requires_grad(false);
    shadow_->eval();
  }

  void update(MlpImpl& source) {
    torch::NoGradGuard no_grad;
    auto averaged = shadow_->named_parameters();
    for (auto& item : source.named_parameters()) {
      auto& target = averaged[item.key()];
      target.mul_(decay_).add_(item.value(), 1.0 - decay_); // expect: device-mismatch
    }
  }

  MlpImpl& model() { return *shadow_; }

 private:
  std::shared_ptr<MlpImpl> shadow_;
  double decay_;
};

int main() {
  torch::manual_seed(0);
  torch::Device device("cuda:0");

  auto model = std::make_shared<MlpImpl>(6, 16, 1);
  Ema ema(*model, 0.99);
  model->to(device);

  torch::optim::AdamW optimizer(model->parameters(), torch::optim::AdamWOptions(1e-3));
  auto weights = torch::randn({6, 1}, device);

  for (int step = 0; step < 20; ++step) {
    auto x = torch::randn({32, 6}, device);
    auto y = x.matmul(weights);
    auto loss = torch::mse_loss(model->forward(x), y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    ema.update(*model);
    if (step % 5 == 0) std::cout << step << ": " << loss.item<float>() << std::endl;
  }

  torch::NoGradGuard no_grad;
  auto probe = torch::randn({4, 6}, device);
  std::cout << ema.model().forward(probe).cpu() << std::endl; // expect: device-mismatch
}
