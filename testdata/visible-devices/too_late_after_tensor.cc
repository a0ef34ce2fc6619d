// arguments: 0 1 2 3 4
// A tensor, a module, a seed, a count, a selected device: each starts CUDA.
#include <c10/cuda/CUDAFunctions.h>
#include <cuda_runtime_api.h>
#include <torch/torch.h>

#include <cstdlib>

void after_tensor() {
  auto x = torch::zeros({2}, torch::kCUDA);
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);  // expect: visible-devices
}

void after_module() {
  torch::nn::Linear net(2, 2);
  net->to(torch::Device("cuda:0"));
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);  // expect: visible-devices
}

void after_seed() {
  torch::manual_seed(1);
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);  // expect: visible-devices
}

void after_count() {
  int n = 0;
  cudaGetDeviceCount(&n);
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);  // expect: visible-devices
}

void after_selection() {
  c10::cuda::set_device(0);
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);  // expect: visible-devices
}

int main(int argc, char** argv) {
  if (argc == 1) after_tensor();
  if (argc == 2) after_module();
  if (argc == 3) after_seed();
  if (argc == 4) after_count();
  if (argc == 5) after_selection();
}
