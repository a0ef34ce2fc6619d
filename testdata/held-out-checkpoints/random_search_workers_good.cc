#include <torch/torch.h>

#include <atomic>
#include <future>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

// Random search: a worker thread for each GPU takes configurations from a common list. The best
// model of all is kept as bytes and tried on the first GPU at the end.

struct Trial {
  int64_t hidden;
  double lr;
  double weight_decay;
};

struct Winner {
  double loss = 1e30;
  Trial trial{};
  std::string bytes;
};

torch::nn::Sequential build(int64_t hidden) {
  return torch::nn::Sequential(torch::nn::Linear(3, hidden), torch::nn::Tanh(), torch::nn::Linear(hidden, 1));
}

class Search {
 public:
  explicit Search(std::vector<Trial> trials) : trials_(std::move(trials)) {}

  Winner run() {
    const int gpus = static_cast<int>(torch::cuda::device_count());
    std::vector<std::thread> workers;
    for (int gpu = 0; gpu < gpus; ++gpu) {
      workers.emplace_back([this, gpu] { work(torch::Device(torch::kCUDA, gpu)); });
    }
    for (auto& worker : workers) worker.join();
    return winner_;
  }

 private:
  void work(torch::Device device) {
    for (size_t i = next_++; i < trials_.size(); i = next_++) {
      const Trial& trial = trials_[i];
      auto model = build(trial.hidden);
      model->to(device);
      torch::optim::AdamW adamw(model->parameters(),
                                torch::optim::AdamWOptions(trial.lr).weight_decay(trial.weight_decay));
      double loss_value = 0;
      for (int step = 0; step < 5; ++step) {
        auto x = torch::randn({16, 3}, device);
        auto loss = torch::mse_loss(model->forward(x), x.prod(1, true));
        adamw.zero_grad();
        loss.backward();
        adamw.step();
        loss_value = loss.item<double>();
      }
      report(trial, loss_value, model);
    }
  }

  void report(const Trial& trial, double loss, const torch::nn::Sequential& model) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (loss >= winner_.loss) return;
    std::ostringstream bytes;
    torch::save(model, bytes);
    winner_ = {loss, trial, bytes.str()};
  }

  std::vector<Trial> trials_;
  std::atomic<size_t> next_{0};
  std::mutex mutex_;
  Winner winner_;
};

int main() {
  std::vector<Trial> trials;
  for (int64_t hidden : {4, 8}) {
    for (double lr : {0.1, 0.01}) trials.push_back({hidden, lr, 1e-4});
  }
  const Winner winner = Search(trials).run();

  const torch::Device device(torch::kCUDA, 0);
  auto model = build(winner.trial.hidden);
  std::istringstream bytes(winner.bytes);
  torch::load(model, bytes, device);
  torch::NoGradGuard guard;
  auto x = torch::randn({4, 3}, device);
  std::cout << "winner: hidden " << winner.trial.hidden << " lr " << winner.trial.lr << " loss " << winner.loss << "\n";
  std::cout << "check " << torch::mse_loss(model->forward(x), x.prod(1, true)).item<double>() << "\n";
}
