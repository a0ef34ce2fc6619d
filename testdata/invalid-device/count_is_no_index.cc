// The number of devices is one more than the last index.
#include <torch/torch.h>

int main() {
  int count = static_cast<int>(torch::cuda::device_count());
  {
    torch::Device last(torch::kCUDA, count);  // expect: invalid-device
    auto x = torch::zeros({2}, last);
  }
  {
    torch::nn::Linear net(2, 2);
    net->to(torch::Device(torch::kCUDA, torch::cuda::device_count()));  // expect: invalid-device
  }
}
