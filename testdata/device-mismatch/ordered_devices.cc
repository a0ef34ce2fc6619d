// Lists of devices that algorithms put in order, make and look through.
#include <torch/torch.h>

#include <algorithm>
#include <iterator>
#include <vector>

torch::Device device(int index) {
  return torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(index));
}

int main() {
  std::vector<int> indices = {1, 0};
  std::sort(indices.begin(), indices.end());
  torch::nn::Linear net(4, 2);
  net->to(device(indices[0]));
  auto x = torch::rand({2, 4}, device(0));
  auto y = net->forward(x);

  std::reverse(indices.begin(), indices.end());
  std::vector<torch::Device> devices;
  std::transform(indices.begin(), indices.end(), std::back_inserter(devices), device);
  auto z = torch::rand({2}, devices[0]) + y;  // expect: device-mismatch
}
