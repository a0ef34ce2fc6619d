#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

using torch::Tensor;

// Imbalanced classes: weights are the inverse frequencies in the training labels.
Tensor class_weights(const Tensor& labels, int64_t classes) {
  auto counts = torch::bincount(labels, /*weights=*/{}, classes).to(torch::kFloat);
  auto weights = 1.0 / torch::clamp_min(counts, 1.0);
  return weights * classes / weights.sum();
}

struct Batch {
  Tensor x, y;
};

class Trainer {
 public:
  Trainer(torch::nn::Sequential model, torch::Device device, const Tensor& train_labels,
          int64_t classes)
      : model_(std::move(model)),
        device_(device),
        criterion_(torch::nn::CrossEntropyLossOptions()
                       .weight(class_weights(train_labels, classes))
                       .reduction(torch::kMean)),
        optimizer_(model_->parameters(), torch::optim::AdamWOptions(3e-3)) {
    model_->to(device_);
  }

  double epoch(const std::vector<Batch>& batches) {
    model_->train();
    double sum = 0;
    for (const Batch& batch : batches) sum += step(batch);
    return sum / batches.size();
  }

  double evaluate(const std::vector<Batch>& batches) {
    torch::NoGradGuard no_grad;
    model_->eval();
    int64_t right = 0, all = 0;
    for (const Batch& batch : batches) {
      auto guess = model_->forward(batch.x.to(device_)).argmax(1);
      right += guess.cpu().eq(batch.y).sum().item<int64_t>();
      all += batch.y.numel();
    }
    return static_cast<double>(right) / all;
  }

 private:
  double step(const Batch& batch) {
    auto x = batch.x.to(device_);
    auto y = batch.y.to(device_);
    optimizer_.zero_grad();
    auto logits = model_->forward(x);
    auto loss = criterion_(logits, y); // expect: device-mismatch
    loss.backward();
    optimizer_.step();
    return loss.item<double>();
  }

  torch::nn::Sequential model_;
  torch::Device device_;
  torch::nn::CrossEntropyLoss criterion_;
  torch::optim::AdamW optimizer_;
};

int main() {
  torch::manual_seed(17);
  const int64_t classes = 4;
  auto features = torch::randn({60, 6});
  auto labels = torch::cat({torch::zeros({40}, torch::kLong), torch::ones({12}, torch::kLong),
                            torch::full({5}, 2, torch::kLong), torch::full({3}, 3, torch::kLong)});
  auto order = torch::randperm(60, torch::kLong);
  features = features.index_select(0, order);
  labels = labels.index_select(0, order);

  std::vector<Batch> batches;
  for (int64_t at = 0; at < 60; at += 20) {
    batches.push_back({features.slice(0, at, at + 20), labels.slice(0, at, at + 20)});
  }

  torch::Device device = torch::cuda::is_available() ? torch::Device(torch::kCUDA, 1)
                                                     : torch::Device(torch::kCPU);
  torch::nn::Sequential model(torch::nn::Linear(6, 12), torch::nn::ReLU(), torch::nn::Dropout(0.1),
                              torch::nn::Linear(12, classes));
  Trainer trainer(model, device, labels, classes);
  std::cout << "initial accuracy " << trainer.evaluate(batches) << "\n";
  for (int e = 0; e < 3; ++e) std::cout << "epoch " << e << " " << trainer.epoch(batches) << "\n";
  std::cout << "accuracy " << trainer.evaluate(batches) << "\n";
  return 0;
}
