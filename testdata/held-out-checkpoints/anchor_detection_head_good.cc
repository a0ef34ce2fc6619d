#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

// Detection head with anchor boxes from a file (k-means over the boxes of the training set).

std::string write_anchors() {
  const std::string file = "/tmp/anchors_ok.pt";
  auto anchors = torch::tensor({10.f, 13.f, 16.f, 30.f, 33.f, 23.f}).view({3, 2});
  torch::save(anchors.to(torch::Device("cuda:1")), file);
  return file;
}

class DetectionHeadImpl : public torch::nn::Module {
 public:
  DetectionHeadImpl(int64_t channels, const std::string& anchor_file) {
    torch::Tensor anchors;
    torch::load(anchors, anchor_file, torch::kCPU);
    anchors_ = register_buffer("anchors", anchors);
    conv_ = register_module(
        "conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, anchors.size(0) * 5, 1)));
  }

  torch::Tensor forward(torch::Tensor x) {
    auto raw = conv_->forward(x);
    const auto n = raw.size(0), h = raw.size(2), w = raw.size(3);
    raw = raw.view({n, anchors_.size(0), 5, h, w}).permute({0, 1, 3, 4, 2});
    auto sizes = torch::exp(raw.slice(-1, 2, 4)) * anchors_.view({1, -1, 1, 1, 2});
    auto centers = torch::sigmoid(raw.slice(-1, 0, 2)) + grid(h, w, raw.device());
    return torch::cat({centers, sizes, torch::sigmoid(raw.slice(-1, 4))}, -1);
  }

 private:
  static torch::Tensor grid(int64_t h, int64_t w, torch::Device device) {
    auto rows = torch::arange(h, device).view({h, 1}).expand({h, w});
    auto columns = torch::arange(w, device).view({1, w}).expand({h, w});
    return torch::stack({columns, rows}, -1).to(torch::kFloat);
  }

  torch::Tensor anchors_;
  torch::nn::Conv2d conv_{nullptr};
};
TORCH_MODULE(DetectionHead);

int main() {
  torch::manual_seed(39);
  auto file = write_anchors();
  DetectionHead head(4, file);

  torch::NoGradGuard no_grad;
  for (int gpu = 0; gpu < 2; ++gpu) {
    torch::Device device(torch::kCUDA, gpu);
    head->to(device);
    auto boxes = head->forward(torch::randn({1, 4, 3, 3}, device));
    std::cout << "on " << device << ": " << boxes.sizes() << ", largest "
              << boxes.max().item<float>() << "\n";
  }
  std::remove(file.c_str());
}
