#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

// Image classification service: bytes in, class names out.

static const std::vector<std::string> kClasses = {"cat", "dog", "fish", "bird"};

struct Normalisation {
  torch::Tensor mean = torch::tensor({0.485, 0.456, 0.406}, torch::kFloat).view({1, 3, 1, 1});
  torch::Tensor std = torch::tensor({0.229, 0.224, 0.225}, torch::kFloat).view({1, 3, 1, 1});

  torch::Tensor apply(const torch::Tensor& images) const {
    return images.sub(mean).div(std); // expect: device-mismatch
  }
};

struct BackboneImpl : torch::nn::Module {
  BackboneImpl() {
    features = register_module(
        "features",
        torch::nn::Sequential(torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 6, 3).stride(2)),
                              torch::nn::ReLU(),
                              torch::nn::AdaptiveAvgPool2d(torch::nn::AdaptiveAvgPool2dOptions(1))));
    classifier = register_module("classifier", torch::nn::Linear(6, kClasses.size()));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    return classifier(features->forward(x).flatten(1));
  }

  torch::nn::Sequential features{nullptr};
  torch::nn::Linear classifier{nullptr};
};
TORCH_MODULE(Backbone);

class Service {
 public:
  explicit Service(torch::Device device) : device_(device) {
    backbone_->to(device_);
    backbone_->eval();
  }

  std::vector<std::string> classify(const torch::Tensor& bytes) {
    torch::InferenceMode inference;
    // Upload bytes, not floats: a quarter of the traffic.
    auto images = bytes.to(device_).to(torch::kFloat).div(255);
    auto logits = backbone_->forward(normalisation_.apply(images));
    auto best = logits.argmax(1).cpu();
    std::vector<std::string> names;
    for (int64_t i = 0; i < best.size(0); ++i) names.push_back(kClasses[best[i].item<int64_t>()]);
    return names;
  }

 private:
  torch::Device device_;
  Normalisation normalisation_;
  Backbone backbone_;
};

int main() {
  torch::manual_seed(55);
  Service service(torch::Device(torch::kCUDA, 1));
  for (int request = 0; request < 3; ++request) {
    auto bytes = torch::randint(0, 256, {4, 3, 20, 20}, torch::kUInt8);
    for (const auto& name : service.classify(bytes)) std::cout << name << ' ';
    std::cout << '\n';
  }
}
