#include <torch/torch.h>

#include <chrono>
#include <iostream>
#include <map>
#include <string>
#include <vector>

// Which of the two GPUs is faster for our network? Forward and backward, a few batch sizes.
using Clock = std::chrono::steady_clock;

struct Case {
  int64_t batch;
  torch::Tensor input;
  torch::Tensor target;
};

class Benchmark {
 public:
  Benchmark(std::vector<int64_t> sizes, int warmup, int rounds)
      : warmup_(warmup), rounds_(rounds) {
    // Allocation and transfer are not to be timed.
    auto options = torch::TensorOptions().device(torch::kCUDA, 0);
    for (auto size : sizes) {
      cases_.push_back({size, torch::randn({size, 3, 8, 8}, options),
                        torch::randint(0, 5, {size}, options.dtype(torch::kLong))});
    }
  }

  void run(torch::nn::Sequential& net, torch::Device device) {
    net->to(device);
    for (const auto& c : cases_) {
      for (int i = 0; i < warmup_; ++i) once(net, c);
      torch::cuda::synchronize(device.index());
      auto start = Clock::now();
      for (int i = 0; i < rounds_; ++i) once(net, c);
      torch::cuda::synchronize(device.index());
      std::chrono::duration<double, std::milli> ms = Clock::now() - start;
      times_[device.str()].push_back(ms.count() / rounds_);
    }
  }

  void report() const {
    std::cout << "batch";
    for (const auto& [name, unused] : times_) std::cout << "\t" << name;
    std::cout << "\n";
    for (size_t i = 0; i < cases_.size(); ++i) {
      std::cout << cases_[i].batch;
      for (const auto& [unused, ms] : times_) std::cout << "\t" << ms[i];
      std::cout << "\n";
    }
  }

 private:
  void once(torch::nn::Sequential& net, const Case& c) {
    net->zero_grad();
    auto output = net->forward(c.input); // expect: device-mismatch
    auto loss = torch::nn::functional::cross_entropy(output, c.target); // expect: device-mismatch
    loss.backward();
  }

  int warmup_, rounds_;
  std::vector<Case> cases_;
  std::map<std::string, std::vector<double>> times_;
};

int main() {
  torch::manual_seed(0);
  torch::nn::Sequential net(torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 4, 3)), torch::nn::ReLU(),
                            torch::nn::Flatten(), torch::nn::Linear(4 * 6 * 6, 5));
  Benchmark benchmark({1, 4, 8}, 1, 3);
  for (int index = 0; index < 2; ++index) {
    benchmark.run(net, torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(index)));
  }
  benchmark.report();
  return 0;
}
