// `cuda if available` is one device: everything on it is consistent, and the CPU beside it is not.
#include <torch/torch.h>

#include <iostream>

torch::Device pick_device() {
  torch::DeviceType type;
  if (torch::cuda::is_available()) {
    std::cout << "CUDA available! Training on GPU." << std::endl;
    type = torch::kCUDA;
  } else {
    std::cout << "Training on CPU." << std::endl;
    type = torch::kCPU;
  }
  return torch::Device(type);
}

int main() {
  auto device = pick_device();
  auto same = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::nn::Linear model(4, 2);
  model->to(device);
  auto x = torch::rand({3, 4}).to(same);
  auto good = torch::mse_loss(model->forward(x), torch::zeros({3, 2}, device));
  auto bad = torch::mse_loss(model->forward(x), torch::zeros({3, 2}));  // expect: device-mismatch
  return 0;
}
