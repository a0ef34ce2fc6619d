#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

// Replay memory that is pickled between two runs. The tensors come back on the device on which they
// were when saved, so the reader says where it wants them.

struct Transition {
  torch::Tensor state, action, reward;
};

class Replay {
 public:
  void push(Transition t) { items_.push_back(std::move(t)); }
  size_t size() const { return items_.size(); }

  std::vector<char> dump() const {
    c10::impl::GenericDict dict(c10::StringType::get(), c10::TensorType::get());
    std::vector<torch::Tensor> states, actions, rewards;
    for (const auto& item : items_) {
      states.push_back(item.state);
      actions.push_back(item.action);
      rewards.push_back(item.reward);
    }
    dict.insert("states", torch::stack(states));
    dict.insert("actions", torch::stack(actions));
    dict.insert("rewards", torch::stack(rewards));
    return torch::pickle_save(dict);
  }

  static Replay parse(const std::vector<char>& bytes, torch::Device device) {
    auto dict = torch::pickle_load(bytes).toGenericDict();
    auto field = [&dict, device](const std::string& name) {
      if (!dict.contains(name)) throw std::runtime_error("replay memory without " + name);
      return dict.at(name).toTensor().to(device);
    };
    auto states = field("states"), actions = field("actions"), rewards = field("rewards");
    Replay replay;
    for (int64_t i = 0; i < states.size(0); ++i) replay.push({states[i], actions[i], rewards[i]});
    return replay;
  }

  const Transition& at(size_t i) const { return items_.at(i); }

 private:
  std::vector<Transition> items_;
};

int main() {
  torch::manual_seed(60);
  const torch::Device actor_device("cuda:0"), learner_device("cuda:1");

  Replay collected;
  for (int i = 0; i < 12; ++i) {
    auto state = torch::randn({4}, actor_device);
    collected.push({state, torch::randint(0, 2, {}, torch::kLong).to(actor_device), state.sum()});
  }
  const auto bytes = collected.dump();
  std::cout << collected.size() << " transitions, " << (bytes.size() > 0 ? "saved" : "empty") << "\n";

  Replay memory = Replay::parse(bytes, learner_device);
  torch::nn::Linear q(4, 2);
  q->to(learner_device);
  torch::optim::SGD optimizer(q->parameters(), 0.01);
  for (size_t begin = 0; begin < memory.size(); begin += 4) {
    std::vector<torch::Tensor> s, a, r;
    for (size_t i = begin; i < begin + 4; ++i) {
      s.push_back(memory.at(i).state);
      a.push_back(memory.at(i).action);
      r.push_back(memory.at(i).reward);
    }
    auto chosen = q->forward(torch::stack(s)).gather(1, torch::stack(a).unsqueeze(1)).squeeze(1);
    auto loss = torch::mse_loss(chosen, torch::stack(r));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << "\n";
  }
}
