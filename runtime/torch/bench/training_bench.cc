// One training step of a small convolutional net on the CPU and on virtual cuda:1, each the best of
// several rounds taken in turn, and the ratio of the two.
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>

namespace {

class Trainer {
 public:
  explicit Trainer(torch::Device device)
      : net_(torch::nn::Conv2d(1, 10, 5), torch::nn::MaxPool2d(2), torch::nn::ReLU(),
             torch::nn::Conv2d(10, 20, 5), torch::nn::MaxPool2d(2), torch::nn::ReLU(),
             torch::nn::Flatten(), torch::nn::Linear(320, 50), torch::nn::ReLU(),
             torch::nn::Linear(50, 10)),
        images_(torch::randn({kBatch, 1, 28, 28}).to(device)),
        labels_(torch::randint(0, 10, {kBatch}).to(device)) {
    net_->to(device);
    optimizer_ = std::make_unique<torch::optim::SGD>(net_->parameters(),
                                                     torch::optim::SGDOptions(0.01).momentum(0.5));
  }

  double step() {
    optimizer_->zero_grad();
    torch::Tensor loss = torch::nn::functional::cross_entropy(net_->forward(images_), labels_);
    loss.backward();
    optimizer_->step();
    return loss.item<double>();
  }

  // In milliseconds a step.
  double time(int steps) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i) step();
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    return taken.count() / steps;
  }

 private:
  static constexpr std::int64_t kBatch = 32;

  torch::nn::Sequential net_;
  torch::Tensor images_;
  torch::Tensor labels_;
  std::unique_ptr<torch::optim::SGD> optimizer_;
};

Trainer trainer_on(torch::Device device) {
  torch::manual_seed(1);
  return Trainer(device);
}

}  // namespace

int main() {
  Trainer on_cpu = trainer_on(torch::kCPU);
  Trainer on_gpu = trainer_on(torch::Device("cuda:1"));
  double cpu_time = std::numeric_limits<double>::max();
  double gpu_time = cpu_time;
  for (int round = 0; round < 12; ++round) {
    cpu_time = std::min(cpu_time, on_cpu.time(25));
    gpu_time = std::min(gpu_time, on_gpu.time(25));
  }
  std::printf("a step on the CPU %.3f ms, on virtual cuda:1 %.3f ms: ratio %.2f\n", cpu_time,
              gpu_time, gpu_time / cpu_time);
  std::printf("losses after them: %.6f and %.6f\n", on_cpu.step(), on_gpu.step());
}
