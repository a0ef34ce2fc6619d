// The guard of the second device is a temporary, or a variable of a function that ends at once: it
// ends before the tensors are made.
#include <c10/cuda/CUDAGuard.h>
#include <torch/torch.h>

torch::Tensor product(c10::DeviceIndex card, int64_t size) {
  c10::cuda::CUDAGuard{card};  // expect: wrong-device-guard
  auto options = torch::TensorOptions(torch::kCUDA);
  return torch::mm(torch::rand({size, size}, options), torch::rand({size, size}, options));
}

void enter(c10::DeviceIndex card) {
  c10::cuda::CUDAGuard guard{card};  // expect: wrong-device-guard
}

int main() {
  for (c10::DeviceIndex card = 0; card < 2; ++card) product(card, 8);
  enter(1);
  torch::rand({8, 8}, torch::kCUDA);
}
