// to(dtype) changes the type alone.
#include <torch/torch.h>

int main() {
  auto card = torch::rand({4}, torch::kCUDA);
  auto host = torch::arange(4);
  auto good = card + host.to(torch::kCUDA, torch::kFloat32) + host.cuda().to(torch::kFloat32);
  auto bad = card + host.to(torch::kFloat32);  // expect: device-mismatch
  return 0;
}
