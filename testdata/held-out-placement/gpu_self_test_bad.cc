#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <vector>

struct GpuReport {
  int index;
  double mean;
  double spread;
};

// A quick self-test: the same product on every device must give the same numbers.
static GpuReport self_test(int index, const torch::Tensor& a, const torch::Tensor& b) {
  torch::Device device(torch::kCUDA, index); // expect: invalid-device
  auto left = a.to(device);
  auto right = b.to(device);
  auto product = torch::mm(left, right);
  return {index, product.mean().item<double>(), product.std().item<double>()};
}

static std::vector<GpuReport> test_all(const torch::Tensor& a, const torch::Tensor& b) {
  std::vector<GpuReport> reports;
  const int gpus = static_cast<int>(torch::cuda::device_count());
  for (int i = 0; i <= gpus; ++i) {
    reports.push_back(self_test(i, a, b));
  }
  return reports;
}

int main() {
  if (!torch::cuda::is_available()) {
    std::puts("no GPU, nothing to test");
    return 0;
  }
  torch::manual_seed(123);
  auto a = torch::rand({16, 16});
  auto b = torch::rand({16, 16});
  auto expected = torch::mm(a, b).mean().item<double>();

  auto reports = test_all(a, b);
  auto worst = std::max_element(reports.begin(), reports.end(), [&](const auto& l, const auto& r) {
    return std::abs(l.mean - expected) < std::abs(r.mean - expected);
  });
  for (const auto& report : reports) {
    std::printf("gpu %d: mean %.5f, spread %.5f\n", report.index, report.mean, report.spread);
  }
  std::printf("worst: gpu %d, off by %.2e\n", worst->index, std::abs(worst->mean - expected));
  return 0;
}
