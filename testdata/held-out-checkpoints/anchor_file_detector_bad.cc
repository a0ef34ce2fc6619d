#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

// One-stage detector with anchors from a file (k-means over the training boxes).

static const std::string kAnchorFile = "/tmp/cc6_anchors.pt";

void cluster_anchors(int64_t count) {
  auto sizes = torch::rand({60, 2}) * 4 + 1;
  auto centres = sizes.narrow(0, 0, count).clone();
  for (int iteration = 0; iteration < 3; ++iteration) {
    auto nearest = torch::cdist(sizes, centres).argmin(1);
    for (int64_t c = 0; c < count; ++c) {
      auto members = sizes.index({nearest == c});
      if (members.size(0) > 0) centres[c] = members.mean(0);
    }
  }
  torch::save(centres, kAnchorFile);
}

class YoloLiteImpl : public torch::nn::Module {
 public:
  YoloLiteImpl() {
    torch::load(anchors_, kAnchorFile);
    const int64_t a = anchors_.size(0);
    backbone_ = register_module(
        "backbone", torch::nn::Sequential(torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 6, 3).stride(2).padding(1)),
                                          torch::nn::LeakyReLU()));
    head_ = register_module("head", torch::nn::Conv2d(torch::nn::Conv2dOptions(6, a * 5, 1)));
  }

  // Boxes as [batch, anchors, height, width, 5].
  torch::Tensor forward(torch::Tensor images) {
    auto raw = head_(backbone_->forward(images));
    const int64_t n = raw.size(0), h = raw.size(2), w = raw.size(3);
    raw = raw.view({n, anchors_.size(0), 5, h, w}).permute({0, 1, 3, 4, 2});
    auto centre = torch::sigmoid(raw.narrow(-1, 0, 2));
    auto size = torch::exp(raw.narrow(-1, 2, 2)) * anchors_.view({1, -1, 1, 1, 2});
    auto score = torch::sigmoid(raw.narrow(-1, 4, 1));
    return torch::cat({centre, size, score}, -1);
  }

 private:
  torch::Tensor anchors_; // expect: unregistered-state
  torch::nn::Sequential backbone_{nullptr};
  torch::nn::Conv2d head_{nullptr};
};
TORCH_MODULE(YoloLite);

int main() {
  torch::manual_seed(43);
  cluster_anchors(3);
  torch::Device device(torch::kCPU);
  if (torch::cuda::is_available()) device = torch::Device(torch::kCUDA);

  YoloLite detector;
  detector->to(device);
  torch::optim::SGD sgd(detector->parameters(), 1e-3);
  for (int step = 0; step < 3; ++step) {
    auto images = torch::rand({2, 3, 8, 8}, device);
    auto boxes = detector(images);
    auto target = torch::rand_like(boxes);
    auto loss = torch::mse_loss(boxes, target);
    sgd.zero_grad();
    loss.backward();
    sgd.step();
    std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
  }
}
