#include <torch/torch.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

// Sweep over learning rate and width; the trials are dealt out over the GPUs.

struct Trial {
  double lr;
  int64_t width;
  int gpu;
  double loss = 0;
};

struct Dataset {
  torch::Tensor x, y;
};

Dataset make_dataset(int64_t n) {
  auto x = torch::randn({n, 4}, torch::kCUDA);
  auto y = torch::sin(x).sum(1, true);
  return {x, y};
}

torch::nn::Sequential build(int64_t width) {
  return torch::nn::Sequential(torch::nn::Linear(4, width), torch::nn::ReLU(),
                               torch::nn::Linear(width, 1));
}

double run_trial(const Trial& trial, const Dataset& data) {
  torch::Device device(torch::kCUDA, trial.gpu);
  auto net = build(trial.width);
  net->to(device);
  torch::optim::Adam optimizer(net->parameters(), torch::optim::AdamOptions(trial.lr));
  double last = 0;
  for (int step = 0; step < 5; ++step) {
    optimizer.zero_grad();
    auto prediction = net->forward(data.x); // expect-miss: device-mismatch
    auto loss = torch::mse_loss(prediction, data.y);
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
  }
  return last;
}

int main() {
  torch::manual_seed(17);
  const int gpus = static_cast<int>(torch::cuda::device_count());
  std::vector<Trial> trials;
  for (double lr : {1e-1, 1e-2, 1e-3}) {
    for (int64_t width : {8, 16}) {
      trials.push_back({lr, width, static_cast<int>(trials.size()) % gpus});
    }
  }

  Dataset data = make_dataset(64);
  for (auto& trial : trials) {
    trial.loss = run_trial(trial, data);
    std::cout << "lr " << trial.lr << " width " << trial.width << " gpu " << trial.gpu << " -> "
              << trial.loss << std::endl;
  }

  auto best = std::min_element(trials.begin(), trials.end(),
                               [](const Trial& a, const Trial& b) { return a.loss < b.loss; });
  std::cout << "best: lr " << best->lr << ", width " << best->width << "\n";
  return 0;
}
