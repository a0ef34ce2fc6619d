// Optimizers of the program's own keep state for each parameter.
#include <torch/torch.h>

#include <utility>
#include <vector>

class Momentum {
 public:
  Momentum(std::vector<torch::Tensor> parameters, bool on_host)
      : parameters_(std::move(parameters)) {
    for (const auto& each : parameters_) {
      velocity_.push_back(on_host ? torch::zeros(each.sizes()) : torch::zeros_like(each));
    }
  }
  virtual ~Momentum() = default;
  virtual void step() {
    torch::NoGradGuard guard;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (!parameters_[i].grad().defined()) continue;
      velocity_[i] = velocity_[i] * 0.9 + parameters_[i].grad();
      parameters_[i].sub_(velocity_[i] * 0.1);
    }
  }

 protected:
  std::vector<torch::Tensor> parameters_;
  std::vector<torch::Tensor> velocity_;
};

class HostMomentum : public Momentum {
 public:
  explicit HostMomentum(std::vector<torch::Tensor> parameters)
      : Momentum(std::move(parameters), true) {}
  void step() override {
    torch::NoGradGuard guard;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      auto now = velocity_[i] * 0.9 + parameters_[i].grad();  // expect: device-mismatch
    }
  }
};

int main() {
  torch::nn::Linear net(4, 2);
  net->to(torch::kCUDA);
  Momentum momentum(net->parameters(), false);
  HostMomentum left_behind(net->parameters());
  net->forward(torch::rand({3, 4}, torch::kCUDA)).sum().backward();
  momentum.step();
  left_behind.step();
  return 0;
}
