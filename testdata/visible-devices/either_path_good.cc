// On one path only: it is not known which list is in force.
#include <torch/torch.h>

#include <cstdlib>

int main(int argc, char** argv) {
  if (argc > 1) {
    setenv("CUDA_VISIBLE_DEVICES", argv[1], 1);
  }
  torch::Device device(torch::kCUDA, argc > 1 ? 0 : 3);
  auto x = torch::rand({2}, device);
}
