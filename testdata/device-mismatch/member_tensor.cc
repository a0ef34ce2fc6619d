// A class that is no module keeps a tensor on the CPU and meets the card with it.
#include <torch/torch.h>

class RunningMean {
 public:
  explicit RunningMean(int64_t features) : mean_(torch::zeros({features})) {}
  void update(const torch::Tensor& batch) {
    mean_ = mean_ * 0.9 + batch.mean(0) * 0.1;  // expect: device-mismatch
  }
  torch::Tensor mean() const { return mean_; }

 private:
  torch::Tensor mean_;
};

class RunningMaximum {
 public:
  RunningMaximum(int64_t features, torch::Device device)
      : maximum_(torch::zeros({features}, torch::TensorOptions().device(device))) {}
  void update(const torch::Tensor& batch) {
    maximum_ = torch::maximum(maximum_, std::get<0>(batch.max(0)));
  }

 private:
  torch::Tensor maximum_;
};

int main() {
  torch::Device device(torch::kCUDA);
  RunningMaximum maximum(4, device);
  RunningMean mean(4);
  for (int step = 0; step < 3; ++step) {
    auto batch = torch::rand({8, 4}, device);
    maximum.update(batch);
    mean.update(batch);
  }
}
