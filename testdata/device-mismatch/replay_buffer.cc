// An agent keeps its memory on the CPU and moves what it samples, but for the rewards.
#include <torch/torch.h>

#include <deque>
#include <vector>

struct Transition {
  torch::Tensor state, next_state, reward;
};

class Agent {
 public:
  explicit Agent(torch::Device device) : device_(device), policy_(4, 2) { policy_->to(device_); }

  int64_t act(const torch::Tensor& state) {
    torch::NoGradGuard no_grad;
    return policy_->forward(state.to(device_)).argmax().item<int64_t>();
  }
  void remember(Transition t) { memory_.push_back(std::move(t)); }
  void learn() {
    std::vector<torch::Tensor> states, next_states, rewards;
    for (auto& t : memory_) {
      states.push_back(t.state);
      next_states.push_back(t.next_state);
      rewards.push_back(t.reward);
    }
    auto q = std::get<0>(policy_->forward(torch::stack(states).to(device_)).max(1));
    auto next = std::get<0>(policy_->forward(torch::stack(next_states).to(device_)).max(1));
    auto target = torch::stack(rewards) + 0.99 * next;  // expect: device-mismatch
    torch::mse_loss(q, target.detach()).backward();
  }

 private:
  torch::Device device_;
  torch::nn::Linear policy_;
  std::deque<Transition> memory_;
};

int main() {
  Agent agent{torch::Device(torch::kCUDA)};
  for (int i = 0; i < 4; ++i) {
    auto state = torch::rand({4});
    agent.act(state);
    agent.remember({state, torch::rand({4}), torch::tensor(1.0f)});
  }
  agent.learn();
}
