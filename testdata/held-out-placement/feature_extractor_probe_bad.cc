#include <torch/torch.h>

#include <iostream>
#include <vector>

// Features are computed on the second GPU and collected for a classifier on the first.

namespace {

torch::Tensor to_gpu(const torch::Tensor& t, torch::Device device) {
  // No copy where the tensor is on the GPU already.
  if (t.is_cuda()) return t;
  return t.to(device);
}

class FeatureExtractor {
 public:
  FeatureExtractor(int64_t in, int64_t out, torch::Device device)
      : projection_(torch::randn({in, out}).to(device) / in) {}

  torch::Tensor operator()(const torch::Tensor& x) const {
    return torch::relu(to_gpu(x, projection_.device()).matmul(projection_));
  }

 private:
  torch::Tensor projection_;
};

struct Probe {
  Probe(int64_t features, torch::Device where)
      : device(where), linear(features, 1) {
    linear->to(device);
    optimizer = std::make_unique<torch::optim::SGD>(linear->parameters(), 0.1);
  }

  float fit(const torch::Tensor& features, const torch::Tensor& labels) {
    auto x = to_gpu(features, device);
    auto y = to_gpu(labels, device);
    auto logits = linear(x).squeeze(1); // expect: device-mismatch
    auto loss = torch::binary_cross_entropy_with_logits(logits, y);
    optimizer->zero_grad();
    loss.backward();
    optimizer->step();
    return loss.item<float>();
  }

  torch::Device device;
  torch::nn::Linear linear;
  std::unique_ptr<torch::optim::SGD> optimizer;
};

}  // namespace

int main() {
  torch::manual_seed(3);
  const torch::Device classifier_gpu(torch::kCUDA, 0), feature_gpu(torch::kCUDA, 1);
  FeatureExtractor extract(12, 24, feature_gpu);
  Probe probe(24, classifier_gpu);

  for (int i = 0; i < 10; ++i) {
    auto x = torch::randn({20, 12});
    auto labels = x.sum(1).gt(0).to(torch::kFloat);
    auto loss = probe.fit(extract(x), labels);
    if (i % 3 == 0) std::cout << i << ": " << loss << "\n";
  }
  return 0;
}
