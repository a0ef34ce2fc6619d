#include <torch/torch.h>

#include <iostream>
#include <vector>

// Actor-critic on two GPUs with a preallocated replay memory that stays on the CPU.
class Memory {
 public:
  Memory(int64_t capacity, int64_t obs)
      : states_(torch::zeros({capacity, obs})),
        actions_(torch::zeros({capacity}, torch::kLong)),
        returns_(torch::zeros({capacity})),
        capacity_(capacity) {}

  // `state` may be anywhere, copy_ brings it here.
  void add(const torch::Tensor& state, const torch::Tensor& action, double value) {
    auto slot = count_++ % capacity_;
    states_[slot].copy_(state);
    actions_[slot].copy_(action);
    returns_[slot].fill_(value);
  }

  struct Batch {
    torch::Tensor states, actions, returns;
    Batch to(torch::Device device) const {
      return Batch{states.to(device), actions.to(device), returns.to(device)};
    }
  };

  Batch sample(int64_t n) const {
    auto limit = std::min(count_, capacity_);
    auto rows = torch::randint(0, limit, {n}, torch::kLong);
    return {states_.index_select(0, rows), actions_.index_select(0, rows),
            returns_.index_select(0, rows)};
  }

 private:
  torch::Tensor states_, actions_, returns_;
  int64_t capacity_;
  int64_t count_ = 0;
};

struct Agent {
  torch::Device actor_device{"cuda:0"};
  torch::Device critic_device{"cuda:1"};
  torch::nn::Sequential actor{torch::nn::Linear(4, 12), torch::nn::Tanh(), torch::nn::Linear(12, 3)};
  torch::nn::Sequential critic{torch::nn::Linear(4, 12), torch::nn::Tanh(), torch::nn::Linear(12, 1)};

  Agent() {
    actor->to(actor_device);
    critic->to(critic_device);
  }

  torch::Tensor act(const torch::Tensor& state) {
    torch::NoGradGuard guard;
    auto p = torch::softmax(actor->forward(state.to(actor_device)), -1);
    return torch::multinomial(p.cpu(), 1).squeeze(-1);
  }
};

int main() {
  torch::manual_seed(14);
  Agent agent;
  Memory memory(50, 4);
  torch::optim::Adam actor_optimizer(agent.actor->parameters(), 3e-3);
  torch::optim::Adam critic_optimizer(agent.critic->parameters(), 3e-3);

  auto state = torch::randn({4});
  for (int t = 0; t < 60; ++t) {
    auto action = agent.act(state);
    double reward = action.item<int64_t>() == 1 ? 1.0 : -0.1;
    memory.add(state, action, reward);
    state = 0.9 * state + 0.1 * torch::randn({4});
    if (t < 20 || t % 10 != 0) continue;

    auto batch = memory.sample(16).to(agent.critic_device);
    auto value = agent.critic->forward(batch.states).squeeze(1);
    auto advantage = batch.returns - value;
    auto critic_loss = advantage.pow(2).mean();
    critic_optimizer.zero_grad();
    critic_loss.backward();
    critic_optimizer.step();

    auto here = batch.to(agent.actor_device);
    auto weight = advantage.detach().to(agent.actor_device);
    auto log_p = torch::log_softmax(agent.actor->forward(here.states), 1);
    auto chosen = log_p.gather(1, here.actions.unsqueeze(1)).squeeze(1);
    auto actor_loss = -(chosen * weight).mean();
    actor_optimizer.zero_grad();
    actor_loss.backward();
    actor_optimizer.step();
    std::cout << t << " actor " << actor_loss.item<float>() << " critic "
              << critic_loss.item<float>() << "\n";
  }
}
