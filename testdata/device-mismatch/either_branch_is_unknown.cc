// Where two branches leave a value in different places nothing is proven, so nothing is said.
#include <torch/torch.h>

int main(int argc, char**) {
  auto x = torch::rand({4});
  auto y = torch::rand({4}, torch::kCUDA);
  if (argc > 1) x = x.cuda();
  if (x.device() != y.device()) x = x.to(y.device());
  auto good = x + y;
  auto z = torch::rand({4});
  if (!z.is_cuda()) z = z.cuda();
  good = good + z;
  if (argc > 2) {
    y = y.cpu();
    z = z.cpu();
  }
  good = y + z;
  return 0;
}
