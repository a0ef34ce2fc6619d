// Something waits between the copy and the read, or the copy itself does.
#include <torch/cuda.h>
#include <torch/torch.h>

int main() {
  torch::Tensor scores = torch::ones({8}, torch::kCUDA);
  torch::Tensor first = scores.to(torch::kCPU, /*non_blocking=*/true);
  torch::cuda::synchronize();
  float sum = first.sum().item<float>();
  torch::Tensor second = scores.to(torch::kCPU);
  sum += second.sum().item<float>();
  torch::Tensor third = scores.to(torch::kCPU, /*non_blocking=*/false);
  sum += third.sum().item<float>();
  torch::Tensor fourth = scores.to(torch::kCPU, /*non_blocking=*/true);
  sum += scores.sum().item<float>();
  sum += fourth.sum().item<float>();
  return sum > 0 ? 0 : 1;
}
