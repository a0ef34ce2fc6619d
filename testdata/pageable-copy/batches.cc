// rule: pageable-copy
// The copy asks not to wait, but what it reads is not pinned.
#include <torch/torch.h>

int main() {
  auto x = torch::randn({8, 4});
  auto y = x.to(torch::Device(torch::kCUDA, 0), /*non_blocking=*/true);  // expect: pageable-copy
  return y.is_cuda() ? 0 : 1;
}
