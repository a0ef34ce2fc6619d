// What algorithms do to each element, and to part of a list.
#include <torch/torch.h>

#include <algorithm>
#include <vector>

int main() {
  std::vector<torch::Tensor> parts = {torch::rand({4}), torch::rand({4})};
  std::for_each(parts.begin(), parts.end(),
                [](torch::Tensor& part) { part = part.to(torch::kCUDA); });
  auto total = torch::zeros({4}, torch::kCUDA);
  for (const auto& part : parts) total += part;
  std::vector<int> indices = {1, 0, 1};
  std::sort(indices.begin() + 1, indices.end());
  int devices = static_cast<int>(torch::cuda::device_count());
  torch::Device last(torch::kCUDA, static_cast<torch::DeviceIndex>(std::min(1, devices - 1)));
  auto moved = total.to(last) + torch::rand({4}, torch::Device(torch::kCUDA, 1));
  std::transform(parts.begin(), parts.end(), parts.begin(),
                 [](const torch::Tensor& part) { return part.cpu(); });
  auto sum = parts[0] + torch::rand({4});
}
