// The guard is a temporary, and selects the device of an option for no longer than its statement.
#include <c10/cuda/CUDAGuard.h>
#include <torch/torch.h>

#include <cstdlib>

int main(int argc, char** argv) {
  const int gpu = argc > 1 ? std::atoi(argv[1]) : 1;
  c10::cuda::CUDAGuard(static_cast<c10::DeviceIndex>(gpu));  // expect: wrong-device-guard
  return torch::ones({2}, torch::kCUDA).sum().item<float>() > 0 ? 0 : 1;
}
