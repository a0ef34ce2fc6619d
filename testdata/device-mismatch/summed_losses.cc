// The losses of replicas are summed where they are: with the function that is given, and without.
#include <torch/torch.h>

#include <functional>
#include <iostream>
#include <numeric>
#include <vector>

int main() {
  std::vector<torch::Tensor> losses;
  for (int gpu = 0; gpu < static_cast<int>(torch::cuda::device_count()); ++gpu)
    losses.push_back(torch::rand({3}, torch::Device(torch::kCUDA, gpu)));
  const auto add_moved = [](const torch::Tensor& sum, const torch::Tensor& loss) {
    return sum + loss.to(sum.device());
  };
  std::cout << std::accumulate(losses.begin(), losses.end(), torch::zeros({3}), add_moved);
  std::cout << std::accumulate(std::next(losses.begin()), losses.end(), losses.front(), add_moved);
  auto sum =
      std::accumulate(losses.begin() + 1, losses.end(), losses[0]);  // expect: device-mismatch
  std::cout << sum;
}
