#include <torch/torch.h>

#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

// Hyper-parameter sweep: one small model per configuration, handed out over the GPUs in turn.

struct Config {
  std::string model;
  double lr;
  int gpu;
};

using Builder = std::function<torch::nn::Sequential()>;

std::map<std::string, Builder>& registry() {
  static std::map<std::string, Builder> builders;
  return builders;
}

void register_models() {
  registry()["linear"] = [] { return torch::nn::Sequential(torch::nn::Linear(5, 1)); };
  registry()["mlp"] = [] {
    return torch::nn::Sequential(torch::nn::Linear(5, 8), torch::nn::ReLU(), torch::nn::Linear(8, 1));
  };
}

std::vector<Config> make_grid() {
  const int gpus = static_cast<int>(torch::cuda::device_count());
  std::vector<Config> grid;
  int next = 0;
  for (int repeat = 0; repeat < gpus; ++repeat) {
    for (const auto& [name, builder] : registry()) {
      for (double lr : {0.1, 0.01}) {
        // GPUs are numbered from one in the sheet that the lab shares.
        grid.push_back({name, lr, next % gpus + 1});
        ++next;
      }
    }
  }
  return grid;
}

double run_trial(const Config& config) {
  torch::Device device("cuda:" + std::to_string(config.gpu));
  auto model = registry().at(config.model)();
  model->to(device); // expect-miss: invalid-device
  torch::optim::SGD sgd(model->parameters(), config.lr);
  auto x = torch::randn({16, 5}, device);
  auto y = x.mean(1, true);
  double last = 0;
  for (int step = 0; step < 5; ++step) {
    sgd.zero_grad();
    auto loss = torch::mse_loss(model->forward(x), y);
    loss.backward();
    sgd.step();
    last = loss.item<double>();
  }
  return last;
}

int main() {
  register_models();
  Config best{"", 0, -1};
  double best_loss = 1e9;
  for (const Config& config : make_grid()) {
    const double loss = run_trial(config);
    std::cout << config.model << " lr " << config.lr << " gpu " << config.gpu << " -> " << loss << std::endl;
    if (loss < best_loss) {
      best_loss = loss;
      best = config;
    }
  }
  std::cout << "best: " << best.model << " " << best.lr << "\n";
}
