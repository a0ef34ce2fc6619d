// The device travels in a configuration struct.
#include <torch/torch.h>

struct TrainingConfig {
  torch::Device device = torch::kCUDA;
  torch::Device data_device{torch::kCPU};
  double learning_rate = 0.1;
};

torch::Tensor load(const TrainingConfig& config) {
  return torch::rand({8, 4}, torch::TensorOptions().device(config.data_device));
}

int main() {
  TrainingConfig config;
  torch::nn::Linear model(4, 1);
  model->to(config.device);
  auto x = load(config);
  auto good = model(x.to(config.device));
  auto bad = model(x);  // expect: device-mismatch

  TrainingConfig host;
  host.device = torch::kCPU;
  torch::nn::Linear other(4, 1);
  other->to(host.device);
  good = other(load(host));
  return 0;
}
