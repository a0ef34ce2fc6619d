// devices: 4
// Selecting a device by number.
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/torch.h>

torch::Tensor on(int index) {
  c10::cuda::CUDAGuard guard(static_cast<c10::DeviceIndex>(index));  // expect: invalid-device
  return torch::zeros({2}, torch::kCUDA);
}

int main() {
  c10::cuda::set_device(3);
  c10::cuda::set_device(4);  // expect: invalid-device
  auto x = on(1);
  auto y = on(6);
}
