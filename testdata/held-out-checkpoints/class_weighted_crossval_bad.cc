#include <torch/torch.h>

#include <iostream>
#include <numeric>
#include <vector>

struct Fold {
  torch::Tensor train_x, train_y, test_x, test_y;
};

std::vector<Fold> make_folds(const torch::Tensor& x, const torch::Tensor& y, int k) {
  auto xs = x.chunk(k);
  auto ys = y.chunk(k);
  std::vector<Fold> folds;
  for (int i = 0; i < k; ++i) {
    std::vector<torch::Tensor> rest_x, rest_y;
    for (int j = 0; j < k; ++j) {
      if (j == i) continue;
      rest_x.push_back(xs[j]);
      rest_y.push_back(ys[j]);
    }
    folds.push_back({torch::cat(rest_x), torch::cat(rest_y), xs[i], ys[i]});
  }
  return folds;
}

class Trainer {
 public:
  Trainer(torch::Device device, torch::Tensor class_weights)
      : device_(device), criterion_(torch::nn::CrossEntropyLossOptions().weight(class_weights)) {
    model_ = torch::nn::Sequential(torch::nn::Linear(5, 16), torch::nn::ReLU(), torch::nn::Linear(16, 3));
    model_->to(device_);
  }

  double fit(const Fold& fold) {
    torch::optim::Adam adam(model_->parameters(), 0.02);
    auto x = fold.train_x.to(device_), y = fold.train_y.to(device_);
    for (int epoch = 0; epoch < 4; ++epoch) {
      adam.zero_grad();
      auto loss = criterion_(model_->forward(x), y); // expect: device-mismatch
      loss.backward();
      adam.step();
    }
    torch::NoGradGuard guard;
    auto predicted = model_->forward(fold.test_x.to(device_)).argmax(1);
    return predicted.eq(fold.test_y.to(device_)).to(torch::kFloat).mean().item<double>();
  }

 private:
  torch::Device device_;
  torch::nn::Sequential model_;
  torch::nn::CrossEntropyLoss criterion_;
};

int main() {
  torch::manual_seed(7);
  constexpr int kFolds = 4;
  const auto gpus = static_cast<int>(torch::cuda::device_count());
  auto x = torch::randn({40, 5});
  auto y = torch::randint(0, 3, {40}, torch::kLong);

  // Inverse frequencies, the same for every fold.
  auto counts = torch::bincount(y, {}, 3).to(torch::kFloat);
  auto class_weights = (counts.sum() / (3 * counts)).to(torch::kCUDA);

  std::vector<double> accuracies;
  int index = 0;
  for (const Fold& fold : make_folds(x, y, kFolds)) {
    Trainer trainer(torch::Device(torch::kCUDA, index % gpus), class_weights);
    accuracies.push_back(trainer.fit(fold));
    std::cout << "fold " << index++ << " accuracy " << accuracies.back() << std::endl;
  }
  std::cout << "mean " << std::accumulate(accuracies.begin(), accuracies.end(), 0.0) / kFolds << "\n";
}
