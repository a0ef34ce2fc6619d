#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

// Times a small matmul on every GPU of the machine, then on the CPU.
struct Result {
  std::string device;
  double best_ms = 0;
  double mean_ms = 0;
};

template <typename Work>
Result measure(const std::string& name, int repeats, Work work) {
  using clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    auto start = clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::milli>(clock::now() - start).count());
  }
  Result result;
  result.device = name;
  result.best_ms = *std::min_element(times.begin(), times.end());
  for (double t : times) result.mean_ms += t / repeats;
  return result;
}

torch::Tensor make_operand(int64_t n, torch::Device device) {
  auto options = torch::TensorOptions().dtype(torch::kFloat32).device(device);
  return torch::ones({n, n}, options) / static_cast<double>(n);
}

Result bench_gpu(int index, int64_t n, int repeats) {
  torch::Device device(torch::kCUDA, index); // expect: invalid-device
  torch::Tensor a = make_operand(n, device);
  torch::Tensor b = make_operand(n, device);
  auto work = [&] {
    auto c = a.matmul(b);
    torch::cuda::synchronize(index);
  };
  work();
  return measure(device.str(), repeats, work);
}

Result bench_cpu(int64_t n, int repeats) {
  auto a = make_operand(n, torch::kCPU);
  auto b = make_operand(n, torch::kCPU);
  return measure("cpu", repeats, [&] { auto c = a.matmul(b); });
}

void print(const std::vector<Result>& results) {
  for (const auto& r : results) {
    std::cout << r.device << "\tbest " << r.best_ms << " ms\tmean " << r.mean_ms << " ms\n";
  }
}

int main() {
  const int64_t n = 32;
  const int repeats = 3;
  const int gpus = static_cast<int>(torch::cuda::device_count());
  if (gpus == 0) {
    std::cerr << "no GPU\n";
    return 0;
  }
  std::cout << gpus << " GPUs\n";

  std::vector<Result> results;
  for (int index = 1; index <= gpus; ++index) {
    results.push_back(bench_gpu(index, n, repeats));
  }
  results.push_back(bench_cpu(n, repeats));
  print(results);

  auto fastest = std::min_element(results.begin(), results.end(), [](auto& l, auto& r) {
    return l.best_ms < r.best_ms;
  });
  std::cout << "fastest: " << fastest->device << "\n";
  return 0;
}
