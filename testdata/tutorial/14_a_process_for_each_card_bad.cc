// The rank decides over the net's card, and the batch goes to whichever card is the current one.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::Device own("cuda:1");  // of the process with rank 1
  torch::nn::Linear net(4, 2);
  net->to(own);
  auto output = net(torch::rand({3, 4}).to(torch::kCUDA));  // expect: device-mismatch
  std::cout << output.sizes() << '\n';
}
