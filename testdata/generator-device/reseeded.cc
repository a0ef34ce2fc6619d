// A generator stays where it was made when it is seeded anew.
#include <torch/torch.h>

class Noise {
 public:
  Noise(uint64_t seed, torch::Device device)
      : generator_(at::detail::createCPUGenerator(seed)), device_(device) {}

  torch::Tensor draw(at::IntArrayRef sizes) {
    torch::Tensor out = torch::empty(sizes, torch::TensorOptions().device(device_));
    out.normal_(0.0, 1.0, generator_);  // expect: generator-device
    return out;
  }

  void reseed(uint64_t seed) { generator_.set_current_seed(seed); }

 private:
  at::Generator generator_;
  torch::Device device_;
};

int main() {
  Noise noise(1, torch::Device(torch::kCUDA, 0));
  for (int epoch = 0; epoch < 2; ++epoch) {
    noise.reseed(1000 + epoch);
    noise.draw({2, 3});
  }
}
