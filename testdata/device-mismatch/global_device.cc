// A device and a table at namespace scope.
#include <torch/torch.h>

const torch::Device kDevice = torch::kCUDA;
constexpr torch::DeviceType kHost = torch::kCPU;

torch::Tensor scale_table() {
  static torch::Tensor table = torch::linspace(0, 1, 4);
  return table;
}

int main() {
  torch::nn::Linear model(4, 4);
  model->to(kDevice);
  auto x = torch::rand({4}, kDevice);
  auto good = model(x) * scale_table().to(kDevice);
  good = model(x).to(kHost) * scale_table();
  auto bad = model(x) * scale_table();  // expect: device-mismatch
  return 0;
}
