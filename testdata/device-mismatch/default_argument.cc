// The device is a parameter with a default, which one caller forgets to give.
#include <torch/torch.h>

torch::Tensor sample(int64_t n, torch::Device device = torch::kCPU) {
  return torch::randn({n, 2}, device);
}

class Noise {
 public:
  explicit Noise(torch::Device device = torch::Device(torch::kCUDA)) : device_(device) {}
  torch::Tensor operator()(int64_t n) const { return sample(n, device_); }

 private:
  torch::Device device_;
};

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear model(2, 1);
  model->to(device);
  auto good = model(sample(4, device)) + model(Noise()(4));
  auto bad = model(sample(4));  // expect: device-mismatch
  bad = model(Noise(torch::kCPU)(4));  // expect: device-mismatch
  return 0;
}
