// A tensor that is missing in a list of pointers stays where it is.
#include <torch/torch.h>

#include <vector>

class Normalizer {
 public:
  Normalizer() : mean_(torch::zeros({4})), deviation_(torch::ones({4})) { own(mean_); }
  void move_to(torch::Device device) {
    for (torch::Tensor* each : owned_) *each = each->to(device);
  }
  torch::Tensor operator()(const torch::Tensor& x) {
    auto centered = x - mean_;
    return centered / deviation_;  // expect: device-mismatch
  }

 private:
  void own(torch::Tensor& tensor) { owned_.push_back(&tensor); }

  std::vector<torch::Tensor*> owned_;
  torch::Tensor mean_, deviation_;
};

int main() {
  const torch::Device gpu(torch::kCUDA, 0);
  Normalizer normalize;
  normalize.move_to(gpu);
  normalize(torch::rand({2, 4}, gpu));
}
