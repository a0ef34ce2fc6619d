// devices: 2
// run: PLACECHECK_VIRTUAL_DEVICES=2
// run: PLACECHECK_VIRTUAL_DEVICES=3
// Tests that promise fewer devices than are used.
#include <torch/torch.h>

int main() {
  torch::nn::Linear net(2, 2);
  if (torch::cuda::device_count() > 1) net->to(torch::Device("cuda:2"));   // expect: invalid-device
  if (torch::cuda::device_count() >= 3) net->to(torch::Device("cuda:3"));  // expect: invalid-device
}
