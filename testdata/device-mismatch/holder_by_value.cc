// Holders share their module: a helper that takes one by value moves the caller's model too.
#include <torch/torch.h>

void prepare(torch::nn::Linear layer) { layer->to(torch::kCUDA); }

void prepare_base(const std::shared_ptr<torch::nn::Module>& module) { module->to(torch::kCUDA); }

int main() {
  torch::nn::Linear first(4, 4), second(4, 4);
  prepare(first);
  prepare_base(second.ptr());
  auto x = torch::rand({2, 4});
  auto good = second(first(x.cuda()));
  auto bad = first(x);  // expect: device-mismatch
  return 0;
}
