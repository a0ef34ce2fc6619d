#include <torch/torch.h>

#include <functional>
#include <iostream>
#include <thread>
#include <vector>

using namespace torch;

// Ensemble of differently seeded networks, one for each card. The ensemble's prediction is the mean
// of the members' probabilities, the spread is a measure of uncertainty.
nn::Sequential make_member(uint64_t seed) {
  torch::manual_seed(seed);
  return nn::Sequential(nn::Linear(5, 20), nn::Tanh(), nn::Linear(20, 20), nn::Tanh(),
                        nn::Linear(20, 3));
}

struct Member {
  nn::Sequential net{nullptr};
  Device device{kCPU};
  Tensor probabilities;
  double final_loss = 0;
};

void train_member(Member& member, const Tensor& x, const Tensor& y, int steps) {
  member.net->to(member.device);
  auto inputs = x.to(member.device);
  auto labels = y.to(member.device);
  optim::Adam adam(member.net->parameters(), optim::AdamOptions(0.01));
  for (int i = 0; i < steps; ++i) {
    adam.zero_grad();
    auto loss = nn::functional::cross_entropy(member.net->forward(inputs), labels);
    loss.backward();
    adam.step();
    member.final_loss = loss.item<double>();
  }
}

void predict_member(Member& member, const Tensor& x) {
  NoGradGuard guard;
  member.net->eval();
  member.probabilities = softmax(member.net->forward(x.to(member.device)), 1);
}

void on_all(std::vector<Member>& members, const std::function<void(Member&)>& work) {
  std::vector<std::thread> threads;
  for (auto& member : members) threads.emplace_back([&work, &member] { work(member); });
  for (auto& thread : threads) thread.join();
}

int main() {
  std::vector<Member> members(2);
  for (size_t i = 0; i < members.size(); ++i) {
    members[i].net = make_member(100 + i);
    members[i].device = Device(kCUDA, static_cast<DeviceIndex>(i));
  }

  auto x = torch::randn({30, 5});
  auto y = x.slice(1, 0, 3).argmax(1);
  on_all(members, [&](Member& m) { train_member(m, x, y, 10); });
  for (const auto& m : members) std::cout << m.device << " loss " << m.final_loss << "\n";

  auto test = torch::randn({6, 5});
  on_all(members, [&](Member& m) { predict_member(m, test); });

  std::vector<Tensor> votes;
  for (const auto& m : members) votes.push_back(m.probabilities);
  auto stacked = stack(votes); // expect: device-mismatch
  auto mean = stacked.mean(0);
  auto spread = stacked.std(0).sum(1);
  std::cout << "classes " << mean.argmax(1).cpu() << "\nspread " << spread.cpu() << "\n";
}
