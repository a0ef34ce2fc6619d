#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <optional>

struct PolicyImpl : torch::nn::Cloneable<PolicyImpl> {
  PolicyImpl(int64_t observations, int64_t actions) : n_obs(observations), n_act(actions) { reset(); }

  void reset() override {
    trunk = register_module("trunk", torch::nn::Linear(n_obs, 32));
    q = register_module("q", torch::nn::Linear(32, n_act));
    scale = register_buffer("scale", torch::full({n_obs}, 0.5));
  }

  torch::Tensor forward(const torch::Tensor& obs) { return q(torch::relu(trunk(obs * scale))); }

  int64_t n_obs, n_act;
  torch::nn::Linear trunk{nullptr}, q{nullptr};
  torch::Tensor scale;
};

// Copies the weights of the online network into the target network, which may be elsewhere.
void synchronise(torch::nn::Module& target, const torch::nn::Module& online) {
  torch::NoGradGuard no_grad;
  auto destination = target.named_parameters();
  for (const auto& entry : online.named_parameters()) destination[entry.key()].copy_(entry.value());
  auto buffers = target.named_buffers();
  for (const auto& entry : online.named_buffers()) buffers[entry.key()].copy_(entry.value());
}

int main() {
  torch::manual_seed(7);
  const torch::Device learner(torch::kCUDA, 0), actor(torch::kCUDA, 1);
  const double gamma = 0.9;

  auto online = std::make_shared<PolicyImpl>(4, 2);
  // The target network is cloned from host weights, straight onto the second GPU.
  auto target = std::dynamic_pointer_cast<PolicyImpl>(online->clone(actor));
  online->to(learner);
  torch::optim::RMSprop optimizer(online->parameters(), torch::optim::RMSpropOptions(1e-3));

  for (int step = 0; step < 10; ++step) {
    auto obs = torch::randn({16, 4});
    auto next = obs + 0.1 * torch::randn({16, 4});
    auto action = torch::randint(0, 2, {16, 1}, torch::kLong);
    auto reward = obs.sum(1).sign();

    torch::Tensor best;
    {
      torch::NoGradGuard no_grad;
      best = std::get<0>(target->forward(next.to(actor)).max(1)).to(learner);
    }
    auto goal = reward.to(learner) + gamma * best;
    auto value = online->forward(obs.to(learner)).gather(1, action.to(learner)).squeeze(1);
    auto loss = torch::smooth_l1_loss(value, goal);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();

    if (step % 4 == 3) {
      synchronise(*target, *online);
      std::cout << "synchronised at step " << step << ", loss " << loss.item<float>() << std::endl;
    }
  }
}
