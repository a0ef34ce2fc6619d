// What one loop made in its turns, and another names by its counter: the turns are told apart.
#include <torch/torch.h>

#include <vector>

torch::Tensor on(int device) { return torch::ones({2}, torch::Device(torch::kCUDA, device)); }

void two_loops_up_to_count() {
  const int count = torch::cuda::device_count();
  std::vector<torch::Tensor> parts;
  for (int i = 0; i < count; ++i) parts.push_back(on(i));
  for (int i = 0; i < count; ++i) {
    auto sum = parts[i] + on(0);  // expect: device-mismatch
  }
}

void count_asked_for_each_time() {
  std::vector<torch::Tensor> parts;
  for (size_t i = 0; i < torch::cuda::device_count(); ++i) parts.push_back(on(i));
  for (size_t i = 0; i < torch::cuda::device_count(); ++i) {
    auto sum = parts[i] + on(0);  // expect: device-mismatch
  }
}

int main() {
  two_loops_up_to_count();
  count_asked_for_each_time();
}
