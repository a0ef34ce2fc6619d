// The devices of a pipeline, named by text in a loop; two layers make a stage.
#include <torch/torch.h>

#include <algorithm>
#include <string>
#include <vector>

struct Stage {
  torch::nn::Sequential body{nullptr};
  torch::Device device{torch::kCPU};
};

std::vector<Stage> stages_on(const std::vector<torch::Device>& devices, size_t layers) {
  std::vector<Stage> stages;
  const size_t each = (layers + devices.size() - 1) / devices.size();
  for (size_t first = 0, k = 0; first < layers; first += each, ++k) {
    Stage stage;
    stage.device = devices.at(k);
    stage.body = torch::nn::Sequential();
    for (size_t i = first; i < std::min(layers, first + each); ++i)
      stage.body->push_back(torch::nn::Linear(4, 4));
    stage.body->to(stage.device);
    stages.push_back(stage);
  }
  return stages;
}

int main() {
  std::vector<torch::Device> devices;
  const auto count = torch::cuda::device_count();
  for (size_t i = 0; i < count; ++i) devices.emplace_back("cuda:" + std::to_string(i));
  auto stages = stages_on(devices, 4);
  auto x = torch::rand({2, 4}).to(stages.front().device);
  for (auto& stage : stages) x = stage.body->forward(x);  // expect: device-mismatch
}
