#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

// Sensor classifier with a statistics file (mean and deviation of each channel).

struct Statistics {
  torch::Tensor mean;
  torch::Tensor std;
};

void write_statistics(const torch::Tensor& data, const std::string& path) {
  std::vector<torch::Tensor> values{data.mean(0), data.std(0)};
  torch::save(values, path);
}

Statistics read_statistics(const std::string& path, torch::Device device) {
  std::vector<torch::Tensor> values;
  torch::load(values, path);
  for (auto& value : values) value.to(device); // expect: discarded-transfer
  return {values[0], values[1]};
}

torch::Tensor normalize(const torch::Tensor& batch, const Statistics& statistics) {
  return (batch - statistics.mean) / (statistics.std + 1e-6);
}

class Model {
 public:
  explicit Model(torch::Device device) : device_(device) {
    layers_->push_back(torch::nn::Linear(7, 14));
    layers_->push_back(torch::nn::ELU());
    layers_->push_back(torch::nn::Linear(14, 4));
    layers_->to(device_);
  }

  torch::Tensor operator()(const torch::Tensor& x) { return layers_->forward(x); }
  std::vector<torch::Tensor> parameters() { return layers_->parameters(); }

 private:
  torch::Device device_;
  torch::nn::Sequential layers_;
};

int main() {
  torch::manual_seed(21);
  auto data = torch::randn({32, 7}) * 3 + 1;
  auto labels = torch::randint(0, 4, {32}, torch::kLong);
  const std::string path = "/tmp/cc6_sensor_statistics.pt";
  write_statistics(data, path);

  torch::Device device = torch::kCPU;
  if (torch::cuda::device_count() > 0) {
    device = torch::kCUDA;
    std::cout << "training on the GPU\n";
  }
  const Statistics statistics = read_statistics(path, device);
  Model model(device);
  torch::optim::SGD sgd(model.parameters(), 0.05);

  for (int epoch = 0; epoch < 2; ++epoch) {
    double sum = 0;
    for (int64_t start = 0; start < data.size(0); start += 8) {
      auto x = data.narrow(0, start, 8).to(device);
      auto y = labels.narrow(0, start, 8).to(device);
      auto logits = model(normalize(x, statistics));
      auto loss = torch::nn::functional::cross_entropy(logits, y);
      sgd.zero_grad();
      loss.backward();
      sgd.step();
      sum += loss.item<double>();
    }
    std::cout << "epoch " << epoch << ": " << sum / 4 << std::endl;
  }
}
