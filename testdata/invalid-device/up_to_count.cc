// Loops that go up to the number of devices.
#include <torch/torch.h>

#include <vector>

int main() {
  const int count = static_cast<int>(torch::cuda::device_count());
  std::vector<torch::Tensor> buffers;
  for (int i = 0; i <= count; ++i) {
    torch::Tensor buffer =
        torch::zeros({16}, torch::TensorOptions().device(torch::kCUDA, i));  // expect: invalid-device
    buffers.push_back(buffer);
  }
  for (int i = 0; i <= count; ++i)
    torch::zeros({16}, torch::Device(torch::kCUDA, i));  // expect: invalid-device
}
