#include <torch/torch.h>

#include <iomanip>
#include <iostream>
#include <vector>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct Config {
  int64_t features = 12;
  int64_t hidden = 24;
  int64_t classes = 5;
  int64_t batch = 16;
  int epochs = 2;
  double lr = 0.05;
  // GPU 0 also drives the display, so the second card collects the outputs.
  std::vector<int> gpus{1, 0};
};

class ClassifierImpl : public torch::nn::Cloneable<ClassifierImpl> {
 public:
  explicit ClassifierImpl(const Config& config) : config_(config) { reset(); }

  void reset() override {
    fc1 = register_module("fc1", torch::nn::Linear(config_.features, config_.hidden));
    norm = register_module("norm", torch::nn::LayerNorm(
                                       torch::nn::LayerNormOptions({config_.hidden})));
    fc2 = register_module("fc2", torch::nn::Linear(config_.hidden, config_.classes));
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(norm(fc1(x)));
    return fc2(x);
  }

  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
  torch::nn::LayerNorm norm{nullptr};

 private:
  Config config_;
};
TORCH_MODULE(Classifier);

struct Split {
  torch::Tensor x;
  torch::Tensor y;
};

Split make_split(const Config& config, int64_t rows) {
  auto x = torch::randn({rows, config.features});
  auto y = x.slice(1, 0, config.classes).argmax(1);
  return {x, y};
}

double accuracy(const torch::Tensor& logits, const torch::Tensor& labels) {
  return logits.argmax(1).eq(labels).to(torch::kFloat).mean().item<double>();
}

int main() {
  torch::manual_seed(3);
  Config config;
  const torch::Device device(torch::kCUDA, 0);

  Classifier model(config);
  model->to(device);
  DataParallel net(model, config.gpus);

  torch::optim::SGD optimizer(net.parameters(), torch::optim::SGDOptions(config.lr));
  Split train = make_split(config, 64);

  for (int epoch = 0; epoch < config.epochs; ++epoch) {
    net.train();
    double total = 0;
    auto xs = train.x.split(config.batch);
    auto ys = train.y.split(config.batch);
    for (size_t b = 0; b < xs.size(); ++b) {
      optimizer.zero_grad();
      auto logits = net.forward(xs[b]); // expect: data-parallel-placement
      auto labels = ys[b].to(logits.device());
      auto loss = torch::nn::functional::cross_entropy(logits, labels);
      loss.backward();
      optimizer.step();
      total += loss.item<double>();
    }
    std::cout << "epoch " << epoch << " loss " << std::setprecision(4) << total / xs.size() << "\n";
  }

  torch::NoGradGuard no_grad;
  net.eval();
  auto logits = net.forward(train.x); // expect: data-parallel-placement
  std::cout << "accuracy " << accuracy(logits, train.y.to(logits.device())) << std::endl;
  return 0;
}
