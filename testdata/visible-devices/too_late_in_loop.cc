// From the second turn on it is too late.
#include <torch/torch.h>

#include <cstdlib>
#include <string>

int main() {
  for (int card = 0; card < 4; ++card) {
    setenv("CUDA_VISIBLE_DEVICES", std::to_string(card).c_str(), 1);  // expect: visible-devices
    torch::nn::Linear net(2, 2);
    net->to(torch::kCUDA);
  }
}
