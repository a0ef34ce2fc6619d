#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <vector>

// Synchronous training with a copy of the network on each GPU and gradients averaged by hand.

namespace {

torch::nn::Sequential build() {
  return torch::nn::Sequential(torch::nn::Linear(5, 10), torch::nn::Tanh(), torch::nn::Linear(10, 1));
}

struct Rank {
  torch::Device device;
  torch::nn::Sequential net;
  std::unique_ptr<torch::optim::SGD> optimizer;

  explicit Rank(int index) : device(torch::kCUDA, index), net(build()) {
    net->to(device);
    optimizer = std::make_unique<torch::optim::SGD>(net->parameters(),
                                                    torch::optim::SGDOptions(0.05).momentum(0.9));
  }
};

void broadcast_parameters(std::vector<Rank>& ranks) {
  torch::NoGradGuard guard;
  auto source = ranks.front().net->parameters();
  for (size_t r = 1; r < ranks.size(); ++r) {
    auto destination = ranks[r].net->parameters();
    for (size_t i = 0; i < source.size(); ++i) destination[i].copy_(source[i]);
  }
}

void all_reduce_mean(std::vector<Rank>& ranks) {
  torch::NoGradGuard guard;
  const auto count = ranks.front().net->parameters().size();
  for (size_t i = 0; i < count; ++i) {
    auto sum = ranks.front().net->parameters()[i].grad().clone();
    for (size_t r = 1; r < ranks.size(); ++r) {
      sum += ranks[r].net->parameters()[i].grad(); // expect: device-mismatch
    }
    sum /= static_cast<double>(ranks.size());
    for (auto& rank : ranks) rank.net->parameters()[i].mutable_grad().copy_(sum);
  }
}

}  // namespace

int main() {
  torch::manual_seed(22);
  std::vector<Rank> ranks;
  for (int i = 0; i < 2; ++i) ranks.emplace_back(i);
  broadcast_parameters(ranks);

  auto x = torch::randn({32, 5});
  auto y = (x * x).sum(1, true);

  for (int step = 0; step < 5; ++step) {
    auto xs = x.chunk(ranks.size()), ys = y.chunk(ranks.size());
    double loss_sum = 0;
    for (size_t r = 0; r < ranks.size(); ++r) {
      auto& rank = ranks[r];
      rank.optimizer->zero_grad();
      auto output = rank.net->forward(xs[r].to(rank.device));
      auto loss = torch::mse_loss(output, ys[r].to(rank.device));
      loss.backward();
      loss_sum += loss.item<double>();
    }
    all_reduce_mean(ranks);
    for (auto& rank : ranks) rank.optimizer->step();
    std::cout << "step " << step << " loss " << loss_sum / ranks.size() << "\n";
  }
}
