// Turns of two loops that stay on one device each, or reach only what is where they work.
#include <torch/torch.h>

#include <vector>

torch::Tensor on(int device) { return torch::ones({2}, torch::Device(torch::kCUDA, device)); }

void two_loops_up_to_count() {
  const int count = torch::cuda::device_count();
  std::vector<torch::Tensor> parts, all_first, others;
  for (int i = 0; i < count; ++i) {
    parts.push_back(on(i));
    all_first.push_back(on(0));
    if (i != 0) others.push_back(on(i));
  }
  for (int i = 0; i < count; ++i) {
    auto here = parts[i] + on(i);
    auto moved = parts[i].to(torch::Device(torch::kCUDA, 0)) + on(0);
    auto first = all_first[i] + on(0);
    if (i == 0) auto sum = parts[i] + on(0);
  }
  for (int i = 1; i < count; ++i) auto sum = others[i - 1] + on(i);
}

int main() { two_loops_up_to_count(); }
