#include <torch/torch.h>

#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// Loads a checkpoint onto a chosen GPU and serves it there.

struct SegmenterImpl : torch::nn::Module {
  explicit SegmenterImpl(int64_t classes)
      : down(torch::nn::Conv2dOptions(3, 6, 3).padding(1)), up(torch::nn::Conv2dOptions(6, classes, 1)) {
    register_module("down", down);
    register_module("up", up);
    mean = register_buffer("mean", torch::full({1, 3, 1, 1}, 0.45));
    deviation = register_buffer("deviation", torch::full({1, 3, 1, 1}, 0.22));
  }

  torch::Tensor forward(torch::Tensor images) {
    images = (images - mean) / deviation;
    return up(torch::relu(down(images)));
  }

  torch::nn::Conv2d down, up;
  torch::Tensor mean, deviation;
};
TORCH_MODULE(Segmenter);

class Server {
 public:
  Server(std::istream& checkpoint, int gpu)
      : device_(torch::kCUDA, static_cast<torch::DeviceIndex>(gpu)), net_(3) {
    torch::load(net_, checkpoint);
    net_->to(device_);
    net_->eval();
    palette_ = torch::tensor({0, 0, 0, 255, 0, 0, 0, 255, 0}, torch::kInt).view({3, 3});
    warm_up({1, 3, 8, 8});
  }

  // uint8 [N, 3, H, W] -> coloured classes [N, H, W, 3] on the host
  torch::Tensor operator()(const torch::Tensor& bytes) {
    torch::InferenceMode inference;
    auto images = bytes.to(device_, torch::kFloat) / 255;
    auto classes = net_->forward(images).argmax(1).cpu();
    return palette_.index({classes});
  }

 private:
  void warm_up(std::vector<int64_t> shape) {
    torch::InferenceMode inference;
    for (int i = 0; i < 2; ++i) net_->forward(torch::zeros(shape, device_));
  }

  torch::Device device_;
  Segmenter net_;
  torch::Tensor palette_;
};

int main() {
  torch::manual_seed(64);
  std::stringstream checkpoint;
  {
    Segmenter trained(3);
    trained->to(torch::kCUDA);
    torch::save(trained, checkpoint);
  }
  Server server(checkpoint, 1);
  for (int64_t n : {1, 2, 5}) {
    auto pictures = torch::randint(0, 256, {n, 3, 8, 8}, torch::kUInt8);
    auto coloured = server(pictures);
    std::cout << coloured.sizes() << " mean " << coloured.to(torch::kFloat).mean().item<float>() << "\n";
  }
  return 0;
}
