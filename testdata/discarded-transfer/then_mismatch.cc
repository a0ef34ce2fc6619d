// The dropped transfer, and the call that fails for it.
#include <torch/torch.h>

int main() {
  torch::Device device("cuda:0");
  torch::nn::Linear net(4, 2);
  net->to(device);
  auto x = torch::rand({1, 4});
  x.to(device);              // expect: discarded-transfer
  auto y = net->forward(x);  // expect: device-mismatch
  return 0;
}
