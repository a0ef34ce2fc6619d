#include <torch/torch.h>

#include <algorithm>
#include <iostream>
#include <vector>

// Single-shot detector head with host-side decoding.

struct Box {
  float x, y, w, h, score;
};

class Detector : public torch::nn::Module {
 public:
  Detector() {
    backbone = register_module(
        "backbone", torch::nn::Sequential(
                        torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 4, 3).stride(2).padding(1)),
                        torch::nn::ReLU(),
                        torch::nn::Conv2d(torch::nn::Conv2dOptions(4, 8, 3).stride(2).padding(1)),
                        torch::nn::ReLU()));
    head = register_module("head", torch::nn::Conv2d(torch::nn::Conv2dOptions(8, 5, 1)));
  }
  torch::Tensor forward(torch::Tensor x) { return head(backbone->forward(x)); }

 private:
  torch::nn::Sequential backbone{nullptr};
  torch::nn::Conv2d head{nullptr};
};

class Decoder {
 public:
  explicit Decoder(int64_t cells) {
    auto grid = torch::meshgrid({torch::arange(cells), torch::arange(cells)}, "ij");
    anchors_ = torch::stack({grid[1], grid[0]}, -1).reshape({-1, 2}).to(torch::kFloat32) + 0.5;
  }

  std::vector<Box> decode(const torch::Tensor& raw, float threshold) const {
    auto flat = raw.detach().cpu().permute({1, 2, 0}).reshape({-1, 5});
    auto centers = anchors_ + torch::tanh(flat.slice(1, 0, 2));
    auto sizes = torch::exp(flat.slice(1, 2, 4));
    auto scores = torch::sigmoid(flat.select(1, 4));
    auto keep = (scores > threshold).nonzero().squeeze(1);

    auto c = centers.index_select(0, keep);
    auto s = sizes.index_select(0, keep);
    auto p = scores.index_select(0, keep);
    auto ca = c.accessor<float, 2>();
    auto sa = s.accessor<float, 2>();
    auto pa = p.accessor<float, 1>();
    std::vector<Box> boxes;
    for (int64_t i = 0; i < keep.size(0); ++i) {
      boxes.push_back({ca[i][0], ca[i][1], sa[i][0], sa[i][1], pa[i]});
    }
    std::sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.score > b.score; });
    return boxes;
  }

 private:
  torch::Tensor anchors_;
};

int main() {
  torch::manual_seed(21);
  torch::InferenceMode inference;
  torch::Device device(torch::kCUDA, 1);
  Detector detector;
  detector.to(device);
  detector.eval();

  // warm-up
  for (int i = 0; i < 2; ++i) detector.forward(torch::zeros({1, 1, 32, 32}, device));

  Decoder decoder(8);
  auto images = torch::rand({3, 1, 32, 32});
  auto out = detector.forward(images.to(device));
  for (int64_t i = 0; i < out.size(0); ++i) {
    auto boxes = decoder.decode(out[i], 0.5f);
    std::cout << "image " << i << ": " << boxes.size() << " boxes";
    if (!boxes.empty()) std::cout << ", best " << boxes.front().score;
    std::cout << "\n";
  }
}
