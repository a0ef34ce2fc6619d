// The last device is one below their number.
#include <torch/torch.h>

int main() {
  int count = static_cast<int>(torch::cuda::device_count());
  torch::Device last(torch::kCUDA, count - 1);
  auto x = torch::zeros({2}, last);
  torch::Device end(torch::kCUDA, count);  // never used
  for (int i = 0; torch::Device(torch::kCUDA, i) != end; ++i)
    x = x.to(torch::Device(torch::kCUDA, i));
}
