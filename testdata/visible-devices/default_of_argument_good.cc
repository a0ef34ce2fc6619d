// The one that is visible is number 0, whichever it is.
#include <torch/torch.h>

#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  int gpu = 1;
  if (argc > 1) gpu = std::atoi(argv[1]);
  setenv("CUDA_VISIBLE_DEVICES", std::to_string(gpu).c_str(), 1);
  torch::Device device(torch::kCUDA, 0);
  auto x = torch::rand({2, 4}, device);
}
