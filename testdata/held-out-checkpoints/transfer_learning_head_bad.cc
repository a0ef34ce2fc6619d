#include <torch/torch.h>

#include <iostream>
#include <sstream>

// Transfer learning: take the backbone of a net with 10 classes and train a new head for 3 classes.

class Classifier : public torch::nn::Module {
 public:
  explicit Classifier(int64_t classes)
      : features_(register_module(
            "features", torch::nn::Sequential(torch::nn::Linear(20, 32), torch::nn::ReLU(),
                                              torch::nn::Linear(32, 16), torch::nn::ReLU()))),
        head_(register_module("head", torch::nn::Linear(16, classes))) {}

  torch::Tensor forward(const torch::Tensor& input) {
    auto embedding = features_->forward(input);
    return head_->forward(embedding); // expect: device-mismatch
  }

  void reset_head(int64_t classes) {
    head_ = replace_module("head", torch::nn::Linear(16, classes));
  }

  void freeze_features() {
    for (auto& p : features_->parameters()) p.requires_grad_(false);
  }

  std::vector<torch::Tensor> head_parameters() { return head_->parameters(); }

 private:
  torch::nn::Sequential features_;
  torch::nn::Linear head_;
};

std::shared_ptr<Classifier> pretrained(torch::Device device) {
  std::stringstream weights;
  {
    auto source = std::make_shared<Classifier>(10);
    torch::save(source, weights);
  }
  auto net = std::make_shared<Classifier>(10);
  torch::load(net, weights);
  net->to(device);
  return net;
}

int main() {
  torch::manual_seed(11);
  torch::Device device(torch::kCUDA);

  auto net = pretrained(device);
  std::cout << "pretrained output: " << net->forward(torch::randn({2, 20}, device)).sizes() << "\n";

  net->freeze_features();
  net->reset_head(3);

  torch::optim::SGD optimizer(net->head_parameters(), 0.1);
  auto inputs = torch::randn({24, 20}, device);
  auto labels = torch::randint(0, 3, {24}, torch::TensorOptions().dtype(torch::kLong).device(device));
  for (int epoch = 1; epoch <= 5; ++epoch) {
    optimizer.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net->forward(inputs), labels);
    loss.backward();
    optimizer.step();
    std::cout << "[" << epoch << "] " << loss.item<double>() << "\n";
  }
}
