// arguments: 0
#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

struct Options {
  int64_t batch_size = 16;
  int64_t epochs = 2;
  double lr = 0.1;
  bool cuda = true;
  torch::Device device = torch::kCPU;
};

// Understands --epochs=N, --lr=X and --no-cuda.
Options parse_options(const std::vector<std::string>& args) {
  Options options;
  for (const auto& arg : args) {
    if (arg.rfind("--epochs=", 0) == 0) {
      options.epochs = std::stol(arg.substr(9));
    } else if (arg.rfind("--lr=", 0) == 0) {
      options.lr = std::stod(arg.substr(5));
    } else if (arg == "--no-cuda") {
      options.cuda = false;
    }
  }
  return options;
}

class Loader {
 public:
  explicit Loader(const Options& options) : options_(options) {
    x_ = torch::randn({64, 9});
    y_ = x_.slice(1, 0, 3).argmax(1);
  }
  template <typename Body>
  void each(Body body) const {
    for (int64_t i = 0; i < x_.size(0); i += options_.batch_size) {
      body(x_.slice(0, i, i + options_.batch_size).to(options_.device),
           y_.slice(0, i, i + options_.batch_size).to(options_.device));
    }
  }

 private:
  const Options& options_;
  torch::Tensor x_, y_;
};

int main(int argc, char** argv) {
  Options options = parse_options({argv + 1, argv + argc});
  torch::manual_seed(1);

  torch::nn::Sequential model(torch::nn::Linear(9, 24), torch::nn::ReLU(), torch::nn::Linear(24, 3));
  if (options.cuda && torch::cuda::is_available()) {
    model->to(torch::Device(torch::kCUDA));
    std::cout << "using CUDA\n";
  }
  torch::optim::SGD optimizer(model->parameters(), options.lr);

  Loader loader(options);
  for (int64_t epoch = 1; epoch <= options.epochs; ++epoch) {
    double total = 0;
    loader.each([&](torch::Tensor x, torch::Tensor y) {
      optimizer.zero_grad();
      auto output = model->forward(x); // expect: device-mismatch
      auto loss = torch::nll_loss(torch::log_softmax(output, 1), y); // expect: device-mismatch
      loss.backward();
      optimizer.step();
      total += loss.item<double>();
    });
    std::cout << "epoch " << epoch << ": " << total << "\n";
  }
  return 0;
}
