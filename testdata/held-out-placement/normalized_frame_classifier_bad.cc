#include <torch/torch.h>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace F = torch::nn::functional;

struct Normalize {
  torch::Tensor mean = torch::tensor({0.485f, 0.456f, 0.406f}).view({1, 3, 1, 1});
  torch::Tensor stddev = torch::tensor({0.229f, 0.224f, 0.225f}).view({1, 3, 1, 1});

  torch::Tensor operator()(const torch::Tensor& images) const {
    return (images - mean) / stddev; // expect: device-mismatch
  }
};

class SmallCnn : public torch::nn::Module {
 public:
  explicit SmallCnn(int classes)
      : conv1(register_module("conv1", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 4, 3).padding(1)))),
        conv2(register_module("conv2", torch::nn::Conv2d(torch::nn::Conv2dOptions(4, 8, 3).padding(1)))),
        head(register_module("head", torch::nn::Linear(8, classes))) {}

  torch::Tensor forward(torch::Tensor x) {
    x = F::max_pool2d(torch::relu(conv1(x)), F::MaxPool2dFuncOptions(2));
    x = torch::relu(conv2(x));
    x = x.mean({2, 3});
    return head(x);
  }

 private:
  torch::nn::Conv2d conv1, conv2;
  torch::nn::Linear head;
};

class Classifier {
 public:
  Classifier(std::vector<std::string> names, torch::Device device)
      : names_(std::move(names)), device_(device), net_(std::make_shared<SmallCnn>(names_.size())) {
    net_->to(device_);
    net_->eval();
  }

  // `frames` are 8-bit images, N x 3 x H x W.
  std::vector<std::string> classify(const torch::Tensor& frames) {
    torch::NoGradGuard no_grad;
    auto images = frames.to(device_).to(torch::kFloat32).div(255);
    auto logits = net_->forward(normalize_(images));
    auto best = logits.argmax(1).cpu();
    std::vector<std::string> result;
    for (int64_t i = 0; i < best.size(0); ++i) result.push_back(names_.at(best[i].item<int64_t>()));
    return result;
  }

 private:
  std::vector<std::string> names_;
  torch::Device device_;
  std::shared_ptr<SmallCnn> net_;
  Normalize normalize_;
};

int main() {
  torch::manual_seed(1);
  Classifier classifier({"cat", "dog", "bird"}, torch::Device(torch::kCUDA, 1));
  auto frames = torch::randint(0, 256, {2, 3, 16, 16}, torch::kUInt8);
  for (const auto& name : classifier.classify(frames)) std::cout << name << "\n";
}
