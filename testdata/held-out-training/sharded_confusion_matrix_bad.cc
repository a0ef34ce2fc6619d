#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <vector>

// Evaluates one model on all GPUs and gathers a confusion matrix on the first one.
struct Mlp : torch::nn::Cloneable<Mlp> {
  Mlp(int64_t in, int64_t classes) : in(in), classes(classes) { reset(); }
  void reset() override {
    l1 = register_module("l1", torch::nn::Linear(in, 16));
    l2 = register_module("l2", torch::nn::Linear(16, classes));
  }
  torch::Tensor forward(const torch::Tensor& x) { return l2(torch::relu(l1(x))); }
  int64_t in, classes;
  torch::nn::Linear l1{nullptr}, l2{nullptr};
};

class ConfusionMatrix {
 public:
  ConfusionMatrix(int64_t classes, torch::Device device)
      : classes_(classes),
        counts_(torch::zeros({classes, classes}, torch::dtype(torch::kLong).device(device))) {}

  void update(const torch::Tensor& predicted, const torch::Tensor& actual) {
    auto cells = actual * classes_ + predicted; // expect: device-mismatch
    counts_ += torch::bincount(cells, {}, classes_ * classes_).view({classes_, classes_});
  }

  double accuracy() const {
    return counts_.diag().sum().item<double>() / counts_.sum().item<double>();
  }

  torch::Tensor recall() const {
    auto c = counts_.to(torch::kDouble);
    return c.diag() / c.sum(1).clamp_min(1);
  }

 private:
  int64_t classes_;
  torch::Tensor counts_;
};

int main() {
  torch::manual_seed(8);
  const int64_t classes = 4;
  const int gpus = 2;
  auto model = std::make_shared<Mlp>(9, classes);
  model->eval();

  std::vector<std::shared_ptr<Mlp>> replicas;
  for (int g = 0; g < gpus; ++g) {
    auto copy = model->clone(torch::Device(torch::kCUDA, g));
    replicas.push_back(std::dynamic_pointer_cast<Mlp>(copy));
  }

  torch::NoGradGuard no_grad;
  ConfusionMatrix matrix(classes, torch::Device(torch::kCUDA, 0));
  auto x = torch::randn({50, 9});
  auto y = torch::randint(0, classes, {50}, torch::kLong).to(torch::Device(torch::kCUDA, 0));

  auto batches = x.split(10);
  auto labels = y.split(10);
  for (size_t i = 0; i < batches.size(); ++i) {
    // Round robin.
    auto& replica = replicas[i % gpus];
    auto device = replica->parameters().front().device();
    auto logits = replica->forward(batches[i].to(device));
    matrix.update(logits.argmax(1), labels[i]);
  }

  std::cout << "accuracy " << matrix.accuracy() << "\nrecall " << matrix.recall().cpu() << "\n";
  return 0;
}
