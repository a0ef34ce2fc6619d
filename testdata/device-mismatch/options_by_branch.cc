// Options whose device is set in a branch agree with a model that is moved in the same branch.
#include <torch/torch.h>

int main() {
  torch::TensorOptions options;
  torch::DeviceType type = torch::kCPU;
  if (torch::cuda::is_available()) {
    type = torch::kCUDA;
    options = options.device(torch::kCUDA);
  }
  torch::nn::Linear model(3, 1);
  model->to(type);
  auto good = model(torch::rand({2, 3}, options));
  auto bad = model(torch::rand({2, 3}));  // expect: device-mismatch
  return 0;
}
