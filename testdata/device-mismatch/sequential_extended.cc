// A layer that is pushed after the move stays where it was made.
#include <torch/torch.h>

int main() {
  torch::nn::Sequential net;
  net->push_back(torch::nn::Linear(4, 8));
  net->to(torch::kCUDA);
  net->push_back(torch::nn::Linear(8, 2));
  auto bad = net->forward(torch::rand({6, 4}, torch::kCUDA));  // expect: device-mismatch
  net->to(torch::kCUDA);
  auto good = net->forward(torch::rand({6, 4}, torch::kCUDA));
  return 0;
}
