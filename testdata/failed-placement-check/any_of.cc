// The check is an algorithm's over all parameters.
#include <torch/torch.h>

#include <algorithm>
#include <stdexcept>

int main() {
  torch::nn::Linear net(4, 2);
  auto parameters = net->parameters();
  if (std::any_of(parameters.begin(), parameters.end(),  // expect: failed-placement-check
                  [](const torch::Tensor& p) { return !p.is_cuda(); }))
    throw std::runtime_error("the net is on the CPU");
}
