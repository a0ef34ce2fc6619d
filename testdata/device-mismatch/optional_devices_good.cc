// The device may be left out: with one, the network moves, and so does what it is given.
#include <torch/torch.h>

#include <optional>
#include <vector>

class Engine {
 public:
  explicit Engine(std::optional<torch::Device> device) : device_(device) {
    if (device_) net_->to(*device_);
  }
  torch::Tensor run() {
    auto features = torch::randn({4, 8}, device_.value_or(torch::Device(torch::kCPU)));
    return net_->forward(features);
  }

 private:
  std::optional<torch::Device> device_;
  torch::nn::Linear net_{8, 2};
};

int main() {
  std::vector<std::optional<torch::Device>> places{std::nullopt, torch::Device(torch::kCUDA, 0)};
  for (const auto& place : places) {
    Engine engine(place);
    engine.run();
  }
}
