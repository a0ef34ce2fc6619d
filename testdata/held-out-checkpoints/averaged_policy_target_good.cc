#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

struct PolicyImpl : torch::nn::Cloneable<PolicyImpl> {
  PolicyImpl(int64_t state, int64_t actions) : state_size(state), action_count(actions) { reset(); }

  void reset() override {
    trunk = register_module("trunk", torch::nn::Linear(state_size, 16));
    norm = register_module("norm", torch::nn::BatchNorm1d(16));
    q = register_module("q", torch::nn::Linear(16, action_count));
  }

  torch::Tensor forward(torch::Tensor s) { return q(torch::relu(norm(trunk(s)))); }

  int64_t state_size, action_count;
  torch::nn::Linear trunk{nullptr}, q{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
};
TORCH_MODULE(Policy);

// Averaged copy of a policy. It is cloned from the policy and stays on the policy's device.
class AveragedPolicy {
 public:
  AveragedPolicy(const Policy& source, double tau)
      : tau_(tau),
        average_(std::dynamic_pointer_cast<PolicyImpl>(source->clone())) {
    for (auto& p : average_->parameters()) p.requires_grad_(false);
    average_->eval();
  }

  void update(const Policy& source) {
    torch::NoGradGuard no_grad;
    auto mine = average_->named_parameters();
    for (const auto& item : source->named_parameters()) {
      mine[item.key()].lerp_(item.value(), tau_);
    }
    auto buffers = average_->named_buffers();
    for (const auto& item : source->named_buffers()) {
      buffers[item.key()].copy_(item.value());
    }
  }

  torch::Tensor operator()(const torch::Tensor& s) { return average_->forward(s); }
  void save(const std::string& path) const { torch::save(average_, path); }

 private:
  double tau_;
  std::shared_ptr<PolicyImpl> average_;
};

int main() {
  torch::manual_seed(41);
  torch::Device device("cuda:1");
  Policy policy(4, 3);
  policy->to(device);
  AveragedPolicy target(policy, 0.05);

  torch::optim::Adam optimizer(policy->parameters(), torch::optim::AdamOptions(1e-3));
  for (int step = 0; step < 4; ++step) {
    auto states = torch::randn({10, 4}, device);
    auto next = torch::randn({10, 4}, device);
    auto goal = 1.0 + 0.9 * std::get<0>(target(next).max(1));
    optimizer.zero_grad();
    auto value = std::get<0>(policy->forward(states).max(1));
    auto loss = torch::smooth_l1_loss(value, goal);
    loss.backward();
    optimizer.step();
    target.update(policy);
    std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
  }

  const std::string path = "/tmp/average_policy.pt";
  target.save(path);
  Policy player(4, 3);
  torch::load(player, path, torch::Device("cuda:0"));
  player->eval();
  std::cout << player->forward(torch::zeros({1, 4}, torch::Device("cuda:0"))).cpu() << std::endl;
  std::remove(path.c_str());
}
