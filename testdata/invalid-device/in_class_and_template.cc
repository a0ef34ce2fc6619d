// A member of a trainer, and a generic mover.
#include <torch/torch.h>

#include <string>

class Trainer {
 public:
  explicit Trainer(const std::string& device) : device_(device) {}  // expect: invalid-device
  void run() { net_->to(device_); }

 private:
  torch::Device device_;
  torch::nn::Linear net_{torch::nn::Linear(2, 2)};
};

template <typename T>
T moved(const T& value, const char* where) {
  return value.to(torch::Device(where));  // expect: invalid-device
}

int main() {
  Trainer trainer("GPU:1");
  trainer.run();
  auto x = moved(torch::rand({2}), "cuda,0");
}
