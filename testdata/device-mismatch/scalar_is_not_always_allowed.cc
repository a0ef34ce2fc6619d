// The exemption is for element-wise operations, not for those which check all arguments.
#include <torch/torch.h>

int main() {
  auto x = torch::rand({2, 3}, torch::kCUDA);
  auto bias = torch::tensor(1.0);
  auto y = torch::add(x, bias);
  auto joined = torch::cat({x.flatten(), torch::rand({3})});  // expect: device-mismatch
  auto stacked = torch::stack({x.sum(), bias});                // expect: device-mismatch
  return 0;
}
