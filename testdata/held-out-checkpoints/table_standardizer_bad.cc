#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <string>

// Standardises tabular data with the statistics of a file written by the preparation step.

struct Statistics {
  torch::Tensor mean, deviation;

  void save(const std::string& file) const {
    torch::serialize::OutputArchive archive;
    archive.write("mean", mean, /*is_buffer=*/true);
    archive.write("deviation", deviation, /*is_buffer=*/true);
    archive.save_to(file);
  }

  static Statistics load(const std::string& file) {
    torch::serialize::InputArchive archive;
    archive.load_from(file);
    Statistics statistics;
    archive.read("mean", statistics.mean, true); // expect: missing-map-location
    archive.read("deviation", statistics.deviation, true); // expect: missing-map-location
    return statistics;
  }

  void to(torch::Device device) {
    mean.to(device); // expect: discarded-transfer
    deviation.to(device); // expect: discarded-transfer
  }

  torch::Tensor apply(const torch::Tensor& rows) const {
    auto centered = rows - mean;
    return centered / (deviation + 1e-6);
  }
};

torch::Tensor make_rows(int64_t n) {
  return torch::randn({n, 5}) * torch::tensor({1.f, 10.f, 100.f, 0.1f, 5.f}) + 3.0;
}

int main() {
  torch::manual_seed(44);
  const std::string file = "/tmp/table_statistics.pt";
  {
    auto rows = make_rows(100);
    Statistics{rows.mean(0), rows.std(0)}.save(file);
  }

  const torch::Device device(torch::kCUDA, 0);
  auto statistics = Statistics::load(file);
  statistics.to(device);

  torch::nn::Sequential model(torch::nn::Linear(5, 8), torch::nn::ReLU(), torch::nn::Linear(8, 1));
  model->to(device);
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(0.01));

  std::map<int, float> history;
  for (int step = 0; step < 4; ++step) {
    auto rows = make_rows(16).to(device);
    auto x = statistics.apply(rows);
    auto y = x.sum(1, true);
    optimizer.zero_grad();
    auto loss = torch::mse_loss(model->forward(x), y);
    loss.backward();
    optimizer.step();
    history[step] = loss.item<float>();
  }
  for (const auto& [step, loss] : history) std::cout << step << ": " << loss << "\n";
  std::remove(file.c_str());
  return 0;
}
