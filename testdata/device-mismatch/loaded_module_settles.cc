// Where a file's tensors were saved is not known, but they are all there, and the first use tells.
#include <torch/torch.h>

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

int main(int argc, char** argv) {
  Classifier classifier(0);
  classifier.load(argv[1]);
  classifier.predict(torch::rand({1, 8}));
  classifier.loss(torch::rand({4, 8}), torch::randint(2, {4}));

  // Both on the CPU, as far as can be told.
  torch::nn::Linear other(8, 2);
  torch::load(other, argv[2]);
  torch::nll_loss(torch::log_softmax(other(torch::rand({4, 8})), 1), torch::randint(2, {4}));
}
