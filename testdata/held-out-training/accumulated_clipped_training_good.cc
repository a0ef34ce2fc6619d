#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <vector>

// Encoder on one GPU, classifier on the other: one optimizer with a parameter group each, gradients
// accumulated over several small batches and clipped per device.
using torch::nn::Linear;
using torch::nn::Sequential;

struct Model {
  Sequential encoder{Linear(10, 16), torch::nn::ReLU(), Linear(16, 16), torch::nn::ReLU()};
  Sequential classifier{torch::nn::Dropout(0.2), Linear(16, 3)};

  void place(torch::Device e, torch::Device c) {
    encoder->to(e);
    classifier->to(c);
  }

  torch::Tensor operator()(const torch::Tensor& x) {
    auto on = [](const Sequential& m) { return m->parameters().front().device(); };
    auto code = encoder->forward(x.to(on(encoder)));
    return classifier->forward(code.to(on(classifier)));
  }
};

struct Clipper {
  double max_norm;

  // One norm over both: the parts are plain numbers.
  double operator()(const std::vector<std::vector<torch::Tensor>>& parts) const {
    double square = 0;
    for (const auto& part : parts) {
      double norm = torch::nn::utils::clip_grad_norm_(part, 1e12);
      square += norm * norm;
    }
    double total = std::sqrt(square);
    if (total > max_norm) {
      for (const auto& part : parts) {
        for (const auto& p : part) p.grad().mul_(max_norm / (total + 1e-6));
      }
    }
    return total;
  }
};

int main() {
  torch::manual_seed(27);
  const torch::Device e_dev(torch::kCUDA, 0), c_dev(torch::kCUDA, 1);
  const int accumulate = 3;
  Model model;

  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(model.encoder->parameters(),
                      std::make_unique<torch::optim::SGDOptions>(
                          torch::optim::SGDOptions(0.02).momentum(0.9)));
  groups.emplace_back(model.classifier->parameters(),
                      std::make_unique<torch::optim::SGDOptions>(
                          torch::optim::SGDOptions(0.1).momentum(0.9)));
  torch::optim::SGD optimizer(groups, torch::optim::SGDOptions(0.1));
  torch::optim::StepLR scheduler(optimizer, 1, 0.9);

  model.place(e_dev, c_dev);
  Clipper clip{0.5};

  auto x = torch::randn({36, 10});
  auto y = x.slice(1, 0, 3).argmax(1);
  for (int epoch = 0; epoch < 2; ++epoch) {
    auto running = torch::zeros({}, c_dev);
    auto xs = x.split(6), ys = y.split(6);
    optimizer.zero_grad();
    for (size_t i = 0; i < xs.size(); ++i) {
      auto logits = model(xs[i]);
      auto loss = torch::nn::functional::cross_entropy(logits, ys[i].to(logits.device()));
      (loss / accumulate).backward();
      running += loss.detach();
      if ((i + 1) % accumulate == 0) {
        double norm = clip({model.encoder->parameters(), model.classifier->parameters()});
        optimizer.step();
        optimizer.zero_grad();
        std::cout << "  gradient norm " << norm << "\n";
      }
    }
    scheduler.step();
    std::cout << "epoch " << epoch << " loss " << (running / double(xs.size())).item<float>() << "\n";
  }
  return 0;
}
