// Turns of two loops that stay on one device each, or reach only what is where they work.
#include <torch/torch.h>

#include <thread>
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

torch::Tensor part(const std::vector<torch::Tensor>& parts, int i) { return parts[i]; }

void merge(std::vector<torch::Tensor>& parts, int i) { parts[i] = parts[i] + on(i); }

void named_in_functions() {
  std::vector<torch::Tensor> parts;
  std::vector<torch::Device> devices;
  for (int i = 0; i < 2; ++i) {
    parts.push_back(on(i));
    devices.emplace_back(torch::kCUDA, i);
  }
  for (int i = 0; i < 2; ++i) {
    auto add = [&, i] { return parts[i] + on(i); };
    add();
    merge(parts, i);
  }
  auto add = [&](int i) { return parts[i] + torch::ones({2}, devices[i]); };
  for (int i = 0; i < 2; ++i) add(i);
  // From the end.
  auto add_backwards = [&](int i) { return parts[1 - i] + on(1 - i); };
  for (int i = 0; i < 2; ++i) add_backwards(i);
  for (int i = 0; i < 2; ++i) auto sum = part(parts, i).to(devices[0]) + on(0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&, i] { auto sum = part(parts, i) + torch::ones({2}, devices[i]); });
  for (std::thread& each : threads) each.join();
}

int main() {
  two_loops_up_to_count();
  named_in_functions();
}
