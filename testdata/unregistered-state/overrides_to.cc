// A class that moves its helper itself.
#include <torch/script.h>
#include <torch/torch.h>

class Detector : public torch::nn::Module {
 public:
  Detector() { head_ = register_module("head", torch::nn::Linear(4, 2)); }
  using torch::nn::Module::to;
  void to(torch::Device device, bool non_blocking = false) override {
    torch::nn::Module::to(device, non_blocking);
    table_ = table_.to(device);
    backbone_->to(device);
  }
  torch::Tensor forward(torch::Tensor x) { return head_(backbone_(x) + table_); }

 private:
  torch::nn::Linear head_{nullptr};
  torch::nn::Linear backbone_{4, 4};
  torch::Tensor table_ = torch::zeros({4});
};

int main() {
  Detector detector;
  detector.to(torch::Device(torch::kCUDA));
  detector.forward(torch::rand({1, 4}, torch::kCUDA));
}
