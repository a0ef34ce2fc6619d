// A list of all devices, and one more.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

#include <vector>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { layer = register_module("layer", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) { return layer->forward(x); }
  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Net);

std::vector<torch::Device> visible_devices() {
  std::vector<torch::Device> devices;
  const auto count = static_cast<int>(torch::cuda::device_count());
  for (int i = 0; i <= count; ++i)
    devices.emplace_back(torch::kCUDA, static_cast<c10::DeviceIndex>(i));  // expect: invalid-device
  return devices;
}

int main() {
  const std::vector<torch::Device> devices = visible_devices();
  Net net;
  net->to(devices.front());
  auto x = torch::zeros({8, 4}, devices.front());
  torch::nn::parallel::data_parallel(net, x, devices);
}
