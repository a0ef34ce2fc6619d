// In-place operations combine their operands too; copy_ alone may cross.
#include <torch/torch.h>

int main() {
  auto x = torch::zeros({4}, torch::kCUDA);
  auto y = torch::ones({4});
  x.copy_(y);
  x += y.to(x.device());
  x += 1.5;
  x.mul_(0.5).add_(torch::ones({4}, x.options()));
  x.add_(y);  // expect: device-mismatch
  auto z = torch::ones({4}, torch::kCUDA);
  y *= z;  // expect: device-mismatch
  y.copy_(z);
  return 0;
}
