// Too late for this process, the list is meant for the one that takes its place.
#include <torch/torch.h>
#include <unistd.h>

#include <cstdlib>

int main(int argc, char** argv) {
  auto x = torch::rand({2}, torch::kCUDA);
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  return argc > 2 ? execv(argv[1], argv + 1) : 0;
}
