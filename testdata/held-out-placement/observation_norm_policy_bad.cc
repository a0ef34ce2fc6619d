#include <torch/torch.h>

#include <iostream>

// Observation normaliser for reinforcement learning, with exponential running statistics.

class RunningNorm : public torch::nn::Module {
 public:
  explicit RunningNorm(int64_t features, double momentum = 0.1)
      : momentum_(momentum),
        mean_(torch::zeros({features})),
        var_(torch::ones({features})) {
    gain_ = register_parameter("gain", torch::ones({features}));
    shift_ = register_parameter("shift", torch::zeros({features}));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    if (is_training()) {
      torch::NoGradGuard no_grad;
      mean_.lerp_(x.mean(0), momentum_);
      var_.lerp_(x.var(0), momentum_);
    }
    auto normal = (x - mean_) / torch::sqrt(var_ + 1e-5);
    return normal * gain_ + shift_;
  }

 private:
  double momentum_;
  torch::Tensor mean_, var_; // expect: unregistered-state
  torch::Tensor gain_, shift_;
};

class Policy : public torch::nn::Module {
 public:
  Policy(int64_t observations, int64_t actions) {
    norm = register_module("norm", std::make_shared<RunningNorm>(observations));
    body = register_module("body", torch::nn::Sequential(torch::nn::Linear(observations, 32),
                                                         torch::nn::Tanh(),
                                                         torch::nn::Linear(32, actions)));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    return torch::log_softmax(body->forward(norm->forward(x)), -1);
  }

 private:
  std::shared_ptr<RunningNorm> norm;
  torch::nn::Sequential body{nullptr};
};

int main() {
  torch::manual_seed(12);
  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available()) device = torch::Device(torch::kCUDA, 0);

  auto policy = std::make_shared<Policy>(6, 3);
  policy->to(device);
  policy->train();
  torch::optim::Adam optimizer(policy->parameters(), torch::optim::AdamOptions(3e-3));

  for (int episode = 0; episode < 5; ++episode) {
    auto observations = torch::randn({20, 6}, device) * 3 + 1;
    auto log_p = policy->forward(observations);
    auto actions = log_p.exp().multinomial(1);
    auto rewards = observations.select(1, 0).unsqueeze(1);
    auto loss = -(log_p.gather(1, actions) * (rewards - rewards.mean())).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "episode " << episode << " loss " << loss.item<float>() << "\n";
  }
}
