// A guard of the program's own: what its constructor moves, its destructor moves back.
#include <torch/torch.h>

class OnCpu {
 public:
  OnCpu(torch::nn::Linear& net, torch::Device home) : net_(net), home_(home) {
    net_->to(torch::kCPU);
  }
  ~OnCpu() { net_->to(home_); }

 private:
  torch::nn::Linear& net_;
  torch::Device home_;
};

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(9, 9);
  net->to(device);
  for (int epoch = 0; epoch < 2; ++epoch) {
    auto x = torch::rand({4, 9}, device);
    auto y = net(x);
    {
      OnCpu guard(net, device);
      y = net(torch::ones({1, 9}));
      y = net(x);  // expect: device-mismatch
    }
  }
  return 0;
}
