#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>

#include "runtime/torch/data_parallel.h"

namespace F = torch::nn::functional;

// Classifier with a penalty on its hidden activations, which forward() leaves in a member so that
// its signature stays the plain one.
class SparseNetImpl : public torch::nn::Cloneable<SparseNetImpl> {
 public:
  SparseNetImpl(int64_t in, int64_t hidden, int64_t classes)
      : in_(in), hidden_(hidden), classes_(classes) {
    reset();
  }

  void reset() override {
    first_ = register_module("first", torch::nn::Linear(in_, hidden_));
    second_ = register_module("second", torch::nn::Linear(hidden_, hidden_));
    out_ = register_module("out", torch::nn::Linear(hidden_, classes_));
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(first_(x));
    activations_ = torch::relu(second_(x)); // expect: data-parallel-lost-state
    return out_(activations_);
  }

  torch::Tensor sparsity_penalty() const { return activations_.abs().mean(); }

 private:
  int64_t in_, hidden_, classes_;
  torch::nn::Linear first_{nullptr}, second_{nullptr}, out_{nullptr};
  torch::Tensor activations_;
};
TORCH_MODULE(SparseNet);

struct Log {
  double data = 0, penalty = 0;
  int steps = 0;
  void add(double d, double p) {
    data += d;
    penalty += p;
    ++steps;
  }
  void print(const std::string& title) const {
    std::cout << title << ": data " << data / steps << " penalty " << penalty / steps << "\n";
  }
};

int main() {
  torch::manual_seed(24);
  const torch::Device device("cuda:0");
  const double lambda = 1e-2;

  SparseNet model(6, 20, 3);
  model->to(device);
  placecheck::parallel::DataParallel parallel(model, {0, 1});
  torch::optim::SGD sgd(parallel.parameters(), torch::optim::SGDOptions(0.1).weight_decay(1e-4));
  torch::optim::StepLR schedule(sgd, 1, 0.7);

  auto x = torch::randn({32, 6});
  auto y = x.slice(1, 0, 3).argmax(1).to(device);

  for (int epoch = 0; epoch < 3; ++epoch) {
    Log log;
    for (int64_t at = 0; at < x.size(0); at += 16) {
      auto inputs = x.slice(0, at, at + 16);
      auto labels = y.slice(0, at, at + 16);
      sgd.zero_grad();
      auto data_loss = F::cross_entropy(parallel.forward(inputs), labels);
      auto penalty = model->sparsity_penalty();
      auto loss = data_loss + lambda * penalty;
      loss.backward();
      sgd.step();
      log.add(data_loss.item<double>(), penalty.item<double>());
    }
    schedule.step();
    log.print("epoch " + std::to_string(epoch));
  }
  return 0;
}
