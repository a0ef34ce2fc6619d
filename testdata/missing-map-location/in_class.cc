// A detector that moves in its constructor, loads in one method and predicts in another.
#include <torch/torch.h>

#include <string>

class Detector {
 public:
  Detector() : device_(torch::kCUDA) { net_->to(device_); }
  void load(const std::string& weights) {
    torch::load(net_, weights);  // expect: missing-map-location
    net_->eval();
  }
  torch::Tensor predict(torch::Tensor image) { return net_->forward(image.to(device_)); }

 private:
  torch::Device device_;
  torch::nn::Conv2d net_{torch::nn::Conv2dOptions(3, 8, 3)};
};

int main() {
  torch::nn::Conv2d trained(torch::nn::Conv2dOptions(3, 8, 3));
  torch::save(trained, "weights.pt");
  Detector detector;
  detector.load("weights.pt");
  auto y = detector.predict(torch::rand({1, 3, 8, 8}));
}
