// The ways to write a device.
#include <torch/torch.h>

#include <string>

int main() {
  const std::string name = "cuda:1";
  torch::Device a(name), b(torch::kCUDA, 1), c("cuda:1");
  torch::Device d(torch::DeviceType::CUDA, 0);
  auto on_a = torch::rand({2}, a), on_b = torch::rand({2}).to(b), on_c = torch::rand({2}).to(c);
  auto good = on_a + on_b + on_c + torch::rand({2}).to("cuda:1");
  auto e = torch::rand({2}).to(at::kCUDA) + torch::rand({2}).to(c10::Device(c10::kCUDA, 0));
  auto f = torch::rand({2}, torch::kCPU) + torch::rand({2}, torch::Device("cpu"));
  auto bad = on_a + torch::rand({2}, d);  // expect: device-mismatch
  return 0;
}
