// A helper that assigns to its own copy of the handle moves nothing for its caller.
#include <torch/torch.h>

void move_copy(torch::Tensor t, torch::Device device) { t = t.to(device); }

void move_reference(torch::Tensor& t, torch::Device device) { t = t.to(device); }

torch::Tensor moved(torch::Tensor t, torch::Device device) { return t.to(device); }

int main() {
  torch::Device device(torch::kCUDA);
  auto weight = torch::rand({3, 3}, device);

  auto a = torch::rand({3, 3});
  move_reference(a, device);
  auto good = weight.matmul(a);

  auto b = torch::rand({3, 3});
  good = weight.matmul(moved(b, device));

  auto c = torch::rand({3, 3});
  move_copy(c, device);
  auto bad = weight.matmul(c);  // expect: device-mismatch
  return 0;
}
