// The program says how many devices it sees.
#include <torch/torch.h>

#include <cstdlib>

int main() {
  setenv("CUDA_VISIBLE_DEVICES", "0,1", 1);
  torch::Device inside("cuda:1"), outside("cuda:3");  // expect: invalid-device
  auto x = torch::rand({2}, inside);
  auto y = torch::rand({2}, outside);
}
