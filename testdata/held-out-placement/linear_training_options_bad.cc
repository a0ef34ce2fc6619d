// arguments: 0
#include <torch/torch.h>

#include <iostream>
#include <string>

// Options of the training program, with their defaults.
struct TrainOptions {
  int64_t batch_size = 16;
  int64_t features = 6;
  double learning_rate = 0.05;
  int iterations = 8;
  torch::Device device = torch::kCPU;

  TrainOptions& parse(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; i += 2) {
      const std::string key = argv[i], value = argv[i + 1];
      if (key == "--batch") batch_size = std::stol(value);
      else if (key == "--lr") learning_rate = std::stod(value);
      else if (key == "--iterations") iterations = std::stoi(value);
      else if (key == "--device") device = torch::Device(value);
      else throw std::invalid_argument("unknown option " + key);
    }
    return *this;
  }
};

class DataSource {
 public:
  explicit DataSource(const TrainOptions& options)
      : options_(options),
        device_(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU),
        coefficients_(torch::randn({options.features, 1}, device_)) {}

  std::pair<torch::Tensor, torch::Tensor> next() const {
    auto x = torch::randn({options_.batch_size, options_.features}, device_);
    return {x, x.matmul(coefficients_) + 0.01 * torch::randn({options_.batch_size, 1}, device_)};
  }

 private:
  TrainOptions options_;
  torch::Device device_;
  torch::Tensor coefficients_;
};

int main(int argc, char** argv) {
  const auto options = TrainOptions().parse(argc, argv);
  torch::manual_seed(17);

  torch::nn::Linear model(options.features, 1);
  model->to(options.device);
  torch::optim::SGD optimizer(model->parameters(), options.learning_rate);
  DataSource source(options);

  for (int i = 0; i < options.iterations; ++i) {
    auto [x, y] = source.next();
    auto prediction = model->forward(x); // expect: device-mismatch
    auto loss = torch::mse_loss(prediction, y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "iteration " << i << ": " << loss.item<float>() << "\n";
  }
  std::cout << model->weight << std::endl;
  return 0;
}
