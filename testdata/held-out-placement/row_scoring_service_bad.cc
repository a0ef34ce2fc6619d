#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <string>

struct ServiceConfig {
  std::string device;
  int64_t max_batch;
  bool verbose;
};

std::string env_or(const char* name, const std::string& fallback) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : fallback;
}

ServiceConfig load_config() {
  ServiceConfig config;
  config.device = env_or("SCORER_DEVICE", torch::cuda::is_available() ? "gpu" : "cpu");
  config.max_batch = std::stol(env_or("SCORER_MAX_BATCH", "8"));
  config.verbose = env_or("SCORER_VERBOSE", "0") == "1";
  return config;
}

class Scorer {
 public:
  explicit Scorer(const ServiceConfig& config)
      : config_(config),
        device_(config.device), // expect: invalid-device
        net_(torch::nn::Linear(4, 12), torch::nn::ReLU(), torch::nn::Linear(12, 1)) {
    net_->to(device_);
    net_->eval();
    if (config_.verbose) std::cerr << "scorer on " << device_ << "\n";
  }

  // Scores of all rows, `max_batch` rows at a time.
  torch::Tensor operator()(const torch::Tensor& rows) {
    torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> scores;
    for (const auto& part : rows.split(config_.max_batch)) {
      scores.push_back(torch::sigmoid(net_->forward(part.to(device_))).cpu());
    }
    return torch::cat(scores).squeeze(1);
  }

 private:
  ServiceConfig config_;
  torch::Device device_;
  torch::nn::Sequential net_;
};

int main() {
  torch::manual_seed(8);
  Scorer scorer(load_config());
  auto rows = torch::randn({30, 4});
  auto scores = scorer(rows);
  auto [top, index] = scores.topk(3);
  for (int i = 0; i < 3; ++i) {
    std::cout << "row " << index[i].item<int64_t>() << " score " << top[i].item<float>() << "\n";
  }
}
