// Where a file's tensors were saved is not known, but they are all there, and the first use tells.
#include <torch/torch.h>

#include <cstdio>

torch::nn::Sequential layers() {
  return torch::nn::Sequential(torch::nn::Linear(8, 8), torch::nn::ReLU(), torch::nn::Linear(8, 2));
}

class Classifier {
 public:
  explicit Classifier(int gpu) : device_(torch::kCUDA, gpu) {
    model_ =
        torch::nn::Sequential(torch::nn::Linear(8, 8), torch::nn::ReLU(), torch::nn::Linear(8, 2));
  }
  void load(const std::string& file) { torch::load(model_, file); }

  int64_t predict(torch::Tensor input) {
    auto scores = model_->forward(input.to(device_));
    return scores.argmax(1).item<int64_t>();
  }
  torch::Tensor loss(torch::Tensor input, torch::Tensor target) {
    auto scores = model_->forward(input.to(device_));
    return torch::nll_loss(torch::log_softmax(scores, 1), target);  // expect: device-mismatch
  }

 private:
  torch::Device device_;
  torch::nn::Sequential model_{nullptr};
};

// Files that somebody made.
void prepare() {
  auto trained = layers();
  trained->to(torch::kCUDA);
  torch::save(trained, "made.pt");
  std::rename("made.pt", "settles.pt");
  torch::save(torch::nn::Linear(8, 2), "made.pt");
  std::rename("made.pt", "on_host.pt");
}

int main() {
  prepare();
  Classifier classifier(0);
  classifier.load("settles.pt");
  classifier.predict(torch::rand({1, 8}));
  classifier.loss(torch::rand({4, 8}), torch::randint(2, {4}));

  // Both on the CPU, as far as can be told.
  torch::nn::Linear other(8, 2);
  torch::load(other, "on_host.pt");
  torch::nll_loss(torch::log_softmax(other(torch::rand({4, 8})), 1), torch::randint(2, {4}));
}
