#include <torch/torch.h>

#include <deque>
#include <iostream>
#include <random>
#include <vector>

// DQN on a corridor of six cells. The policy acts on the CPU tensor of the environment, learning is
// on the GPU.
struct Transition {
  torch::Tensor state, next_state;
  int64_t action;
  float reward;
  bool done;
};

struct Sample {
  torch::Tensor states, actions, rewards, next_states, done;
};

class ReplayBuffer {
 public:
  explicit ReplayBuffer(size_t capacity, torch::Device device)
      : capacity_(capacity), device_(device) {}

  void push(Transition t) {
    if (items_.size() == capacity_) items_.pop_front();
    items_.push_back(std::move(t));
  }

  size_t size() const { return items_.size(); }

  Sample sample(size_t n, std::mt19937& rng) const {
    std::uniform_int_distribution<size_t> pick(0, items_.size() - 1);
    std::vector<torch::Tensor> states, next_states;
    std::vector<int64_t> actions;
    std::vector<float> rewards, done;
    for (size_t i = 0; i < n; ++i) {
      const auto& t = items_[pick(rng)];
      states.push_back(t.state);
      next_states.push_back(t.next_state);
      actions.push_back(t.action);
      rewards.push_back(t.reward);
      done.push_back(t.done ? 1.f : 0.f);
    }
    Sample s;
    s.states = torch::stack(states).to(device_);
    s.next_states = torch::stack(next_states).to(device_);
    s.actions = torch::tensor(actions, torch::kLong).unsqueeze(1);
    s.rewards = torch::tensor(rewards, device_);
    s.done = torch::tensor(done, device_);
    return s;
  }

 private:
  size_t capacity_;
  torch::Device device_;
  std::deque<Transition> items_;
};

torch::Tensor one_hot(int64_t cell) { return torch::eye(6)[cell]; }

int main() {
  torch::manual_seed(0);
  std::mt19937 rng(0);
  const torch::Device device(torch::kCUDA, 0);
  torch::nn::Sequential policy(torch::nn::Linear(6, 16), torch::nn::ReLU(), torch::nn::Linear(16, 2));
  torch::nn::Sequential target(torch::nn::Linear(6, 16), torch::nn::ReLU(), torch::nn::Linear(16, 2));
  policy->to(device);
  target->to(device);
  torch::optim::Adam adam(policy->parameters(), 1e-2);
  ReplayBuffer buffer(64, device);

  for (int episode = 0; episode < 4; ++episode) {
    int64_t cell = 2;
    for (int t = 0; t < 12; ++t) {
      auto state = one_hot(cell);
      int64_t action = rng() % 2;
      if (rng() % 10 > 2) {
        torch::NoGradGuard guard;
        action = policy->forward(state.to(device)).argmax().item<int64_t>();
      }
      cell = std::max<int64_t>(0, std::min<int64_t>(5, cell + (action ? 1 : -1)));
      bool done = cell == 5;
      buffer.push({state, one_hot(cell), action, done ? 1.f : 0.f, done});
      if (buffer.size() >= 8) {
        auto s = buffer.sample(8, rng);
        auto q = policy->forward(s.states).gather(1, s.actions).squeeze(1); // expect: device-mismatch
        auto best = std::get<0>(target->forward(s.next_states).max(1)).detach();
        auto loss = torch::smooth_l1_loss(q, s.rewards + 0.9 * best * (1 - s.done));
        adam.zero_grad();
        loss.backward();
        adam.step();
      }
      if (done) break;
    }
    std::cout << "episode " << episode << " ended in cell " << cell << "\n";
  }
}
