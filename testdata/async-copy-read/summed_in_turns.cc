// Each turn of a loop copies to other memory, which a method reads at once.
#include <torch/torch.h>

#include <iostream>

class Sum {
 public:
  void add(const torch::Tensor& errors) {
    auto on_host = errors.detach().to(torch::kCPU, /*non_blocking=*/true);
    const float* values = on_host.data_ptr<float>();
    for (int64_t i = 0; i < on_host.numel(); ++i) total_ += values[i];  // expect: async-copy-read
  }
  double total() const { return total_; }

 private:
  double total_ = 0;
};

int main() {
  Sum sum;
  torch::Device device(torch::kCUDA);
  for (int i = 0; i < 10; ++i) {
    auto errors = torch::randn({5}, device);
    sum.add(errors);
  }
  // What comes after the loop is looked at as well.
  auto last = torch::ones({2}, device).to(torch::kCPU, /*non_blocking=*/true);
  std::cout << last.sum().item<float>() + sum.total() << "\n";  // expect: async-copy-read
}
