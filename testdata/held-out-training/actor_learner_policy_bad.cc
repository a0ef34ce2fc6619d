#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <vector>

// Actors on each GPU collect data with a copy of the learner's policy; the learner's weights are
// handed to them after each update.

struct PolicyImpl : torch::nn::Module {
  PolicyImpl() {
    fc1 = register_module("fc1", torch::nn::Linear(3, 12));
    fc2 = register_module("fc2", torch::nn::Linear(12, 1));
  }
  torch::Tensor forward(torch::Tensor x) { return torch::tanh(fc2(torch::tanh(fc1(x)))); }
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};
TORCH_MODULE(Policy);

class Actor {
 public:
  explicit Actor(torch::Device device) : device_(device) { policy_->to(device_); }

  void receive(const std::vector<torch::Tensor>& weights) {
    torch::NoGradGuard guard;
    auto own = policy_->parameters();
    for (size_t i = 0; i < own.size(); ++i) {
      own[i].set_data(weights[i].detach());
    }
  }

  // Observations and actions with some noise.
  std::pair<torch::Tensor, torch::Tensor> collect(int64_t count) {
    torch::NoGradGuard guard;
    auto observations = torch::randn({count, 3}, device_);
    auto actions = policy_(observations); // expect: device-mismatch
    return {observations, actions + 0.2 * torch::randn_like(actions)};
  }

 private:
  torch::Device device_;
  Policy policy_;
};

int main() {
  torch::manual_seed(49);
  const torch::Device learner_device(torch::kCUDA, 0);
  Policy learner;
  learner->to(learner_device);
  torch::optim::Adam optimizer(learner->parameters(), 1e-2);

  std::vector<Actor> actors;
  for (int gpu = 0; gpu < 2; ++gpu) actors.emplace_back(torch::Device(torch::kCUDA, gpu));

  for (int update = 0; update < 4; ++update) {
    std::vector<torch::Tensor> observations, actions;
    for (auto& actor : actors) {
      auto [o, a] = actor.collect(8);
      observations.push_back(o.to(learner_device));
      actions.push_back(a.to(learner_device));
    }
    auto o = torch::cat(observations), a = torch::cat(actions);

    // Actions near the goal are imitated more.
    auto goal = torch::tanh(o.sum(1, true));
    auto weight = torch::exp(-(a - goal).pow(2) * 4);
    auto loss = (weight * (learner(o) - a).pow(2)).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();

    for (auto& actor : actors) actor.receive(learner->parameters());
    std::cout << "update " << update << " loss " << loss.item<float>() << "\n";
  }
}
