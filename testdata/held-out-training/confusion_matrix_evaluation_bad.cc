#include <torch/torch.h>

#include <iostream>
#include <vector>

// Evaluates a classifier on every GPU over its share of the validation data and reports a
// confusion matrix.

class Confusion {
 public:
  Confusion(int64_t classes, torch::Device device)
      : classes_(classes),
        counts_(torch::zeros({classes, classes}, torch::TensorOptions(torch::kLong).device(device))) {}

  void add(const torch::Tensor& predicted, const torch::Tensor& actual) {
    auto cells = actual * classes_ + predicted;
    counts_ += torch::bincount(cells, {}, classes_ * classes_).view({classes_, classes_});
  }

  Confusion& operator+=(const Confusion& other) {
    counts_ += other.counts_; // expect: device-mismatch
    return *this;
  }

  double accuracy() const {
    return counts_.diag().sum().item<double>() / counts_.sum().item<double>();
  }
  const torch::Tensor& counts() const { return counts_; }

 private:
  int64_t classes_;
  torch::Tensor counts_;
};

torch::nn::Sequential make_model(int64_t features, int64_t classes) {
  return torch::nn::Sequential(torch::nn::Linear(features, 12), torch::nn::ReLU(),
                               torch::nn::Linear(12, classes));
}

Confusion evaluate(torch::nn::Sequential& model, const torch::Tensor& x, const torch::Tensor& y,
                   int64_t classes, torch::Device device) {
  torch::NoGradGuard no_grad;
  model->to(device);
  model->eval();
  Confusion confusion(classes, device);
  auto xs = x.split(5), ys = y.split(5);
  for (size_t i = 0; i < xs.size(); ++i) {
    auto predicted = model->forward(xs[i].to(device)).argmax(1);
    confusion.add(predicted, ys[i].to(device));
  }
  return confusion;
}

int main() {
  torch::manual_seed(21);
  const int64_t features = 5, classes = 3;
  const int gpus = 2;
  auto model = make_model(features, classes);

  auto x = torch::randn({40, features});
  auto y = torch::randint(classes, {40}, torch::kLong);
  auto x_shares = x.chunk(gpus);
  auto y_shares = y.chunk(gpus);

  std::vector<Confusion> results;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    torch::Device device(torch::kCUDA, gpu);
    results.push_back(evaluate(model, x_shares[gpu], y_shares[gpu], classes, device));
    std::cout << "gpu " << gpu << ": accuracy " << results.back().accuracy() << "\n";
  }

  Confusion total = results[0];
  for (size_t i = 1; i < results.size(); ++i) total += results[i];
  std::cout << "all: accuracy " << total.accuracy() << "\n" << total.counts().cpu() << "\n";
}
