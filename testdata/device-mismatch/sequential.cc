// Sequential and its layers move as one.
#include <torch/torch.h>

int main() {
  torch::nn::Sequential net(torch::nn::Linear(4, 8), torch::nn::ReLU(), torch::nn::BatchNorm1d(8),
                            torch::nn::Linear(8, 2));
  net->to(torch::kCUDA);
  auto x = torch::rand({6, 4});
  auto good = net->forward(x.to(torch::kCUDA));
  auto bad = net->forward(x);  // expect: device-mismatch

  torch::nn::Sequential head;
  head->push_back(torch::nn::Linear(2, 2));
  head->push_back("last", torch::nn::Linear(2, 1));
  auto out = head->forward(good);  // expect: device-mismatch
  return 0;
}
