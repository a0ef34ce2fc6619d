// What one loop made in its turns, and another names by its counter: the turns are told apart.
#include <torch/torch.h>

#include <thread>
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

torch::Tensor part(const std::vector<torch::Tensor>& parts, int i) { return parts[i]; }

void add_first(const std::vector<torch::Tensor>& parts, int i) {
  auto sum = parts[i] + on(0);  // expect: device-mismatch
}

// Functions that a loop hands its counter to, and that name an element by it.
void named_in_functions() {
  std::vector<torch::Tensor> parts;
  std::vector<torch::Device> devices;
  for (int i = 0; i < 2; ++i) {
    parts.push_back(on(i));
    devices.emplace_back(torch::kCUDA, i);
  }
  for (int i = 0; i < 2; ++i) {
    auto add = [&, i] { return parts[i] + on(0); };  // expect: device-mismatch
    add();
  }
  auto add = [&](int i) { return parts[i] + on(0); };  // expect: device-mismatch
  for (int i = 0; i < 2; ++i) add(i);
  for (int i = 0; i < 2; ++i) {
    auto sum = part(parts, i) + on(0);  // expect: device-mismatch
  }
  for (int i = 0; i < 2; ++i) add_first(parts, i);
  const torch::Tensor first = on(0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      auto sum = first + torch::ones({2}, devices[i]);  // expect: device-mismatch
    });
  }
  for (std::thread& each : threads) each.join();
}

int main() {
  two_loops_up_to_count();
  count_asked_for_each_time();
  named_in_functions();
}
