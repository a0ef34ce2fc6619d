// Where else a result is dropped: comma expressions, a branch without braces, lambdas, temporaries.
#include <torch/torch.h>

struct Pair {
  torch::Tensor a = torch::rand({2}), b = torch::rand({2});
};

int main(int argc, char**) {
  torch::Device device(torch::kCUDA);
  Pair pair;
  pair.a.to(device), pair.b = pair.b.to(device);  // expect: discarded-transfer
  if (argc > 1) pair.a.to(device);                // expect: discarded-transfer
  auto move = [&](torch::Tensor& t) { t.to(device); };  // expect: discarded-transfer
  move(pair.a);
  torch::nn::Linear layer(2, 2);
  layer->forward(pair.a).to(device);  // expect: discarded-transfer
  layer->weight.to(device);           // expect: discarded-transfer
  auto good = [&](torch::Tensor& t) { return t.to(device); };
  pair.a = good(pair.a);
}
