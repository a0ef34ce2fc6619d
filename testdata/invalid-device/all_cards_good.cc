// devices: 2
// A loop over all the cards there are.
#include <torch/torch.h>

#include <vector>

int main() {
  std::vector<torch::Tensor> parts;
  for (size_t i = 0; i < torch::cuda::device_count(); ++i) {
    torch::Device device(torch::kCUDA, static_cast<torch::DeviceIndex>(i));
    parts.push_back(torch::zeros({2}, device));
  }
  torch::Device last(torch::kCUDA, static_cast<torch::DeviceIndex>(torch::cuda::device_count() - 1));
  auto x = torch::zeros({2}, last);
}
