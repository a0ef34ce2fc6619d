// A class of a library: whoever moves it will meet what its `to` forgot.
#include <torch/torch.h>

class Replay {
 public:
  explicit Replay(int64_t size) {
    observations_ = torch::zeros({size, 4});
    returns_ = torch::zeros({size, 1});
    masks_ = torch::ones({size, 1});
    reset();
  }

  void to(torch::Device device) {
    observations_ = observations_.to(device);
    returns_ = returns_.to(device);
    scratch_ = scratch_.to(device);
  }

  void reset() { scratch_ = torch::zeros({1, 4}); }
  void start(torch::Tensor first) { cursor_ = first; }

  torch::Tensor weighted() {
    return observations_ * returns_ * masks_;  // expect: device-mismatch
  }
  torch::Tensor returns() { return observations_ * returns_; }
  // Other methods replace the cursor: nothing is known of it.
  torch::Tensor at_cursor() { return cursor_ + observations_; }

 private:
  torch::Tensor observations_, returns_, masks_, scratch_, cursor_;
};

// On the device that the constructor is given.
class Noise {
 public:
  explicit Noise(torch::Device device) : device_(device) {
    scale_ = torch::ones({4}, torch::TensorOptions(device));
    shift_ = torch::zeros({4});
  }

  torch::Tensor sample(int64_t count) {
    torch::Tensor noise = torch::randn({count, 4}, torch::TensorOptions(device_));
    return noise * scale_ + shift_;  // expect: device-mismatch
  }

 private:
  torch::Device device_;
  torch::Tensor scale_, shift_;
};
