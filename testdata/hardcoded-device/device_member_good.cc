// The module is told its device.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  explicit NetImpl(torch::Device device) : device_(device) {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    to(device_);
  }
  torch::Tensor forward(torch::Tensor x) {
    auto noise = torch::randn({2, 4}, device_);
    return fc->forward(x.to(device_)) + noise;
  }
  torch::nn::Linear fc{nullptr};
  torch::Device device_;
};
TORCH_MODULE(Net);

int main() {
  torch::Device device(torch::kCUDA);
  Net net(device);
  auto y = net->forward(torch::rand({2, 4}));
}
