// devices: 2
// Guards by the number of devices.
#include <cuda_runtime_api.h>
#include <torch/torch.h>

torch::Device second_or_first() {
  return torch::cuda::device_count() > 2 ? torch::Device("cuda:2") : torch::Device("cuda:0");
}

int main() {
  torch::nn::Linear net(2, 2);
  if (torch::cuda::device_count() > 2) net->to(torch::Device("cuda:2"));
  if (torch::cuda::device_count() >= 4) net->to(torch::Device(torch::kCUDA, 3));
  if (2 < torch::cuda::device_count()) net->to(torch::Device("cuda:2"));
  if (torch::cuda::device_count() == 8) net->to(torch::Device("cuda:7"));
  auto x = torch::rand({2}).to(second_or_first());
  int count = 0;
  cudaGetDeviceCount(&count);
  if (count > 3) net->to(torch::Device("cuda:3"));
  if (torch::cuda::device_count() < 4) return 0;
  net->to(torch::Device("cuda:3"));
}
