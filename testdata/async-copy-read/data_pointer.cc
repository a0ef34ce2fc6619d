// The elements are read through a pointer.
#include <torch/torch.h>

class Monitor {
 public:
  Monitor() : host_(torch::zeros({1}).pin_memory()) {}

  float update(const torch::Tensor& loss) {
    host_.copy_(loss.detach().reshape({1}), /*non_blocking=*/true);
    return host_.data_ptr<float>()[0];  // expect: async-copy-read
  }

 private:
  torch::Tensor host_;
};

int main() {
  Monitor monitor;
  return monitor.update(torch::ones({}, torch::kCUDA)) >= 0 ? 0 : 1;
}
