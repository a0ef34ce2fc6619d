// libtorch's to() calls that of each child, which moves what is not registered.
#include <torch/torch.h>

struct Quantizer : torch::nn::Module {
  using torch::nn::Module::to;
  void to(torch::Device device, bool non_blocking = false) override {
    torch::nn::Module::to(device, non_blocking);
    codes = codes.to(device, non_blocking);
  }
  torch::Tensor forward(const torch::Tensor& x) { return x + codes; }
  torch::Tensor codes = torch::zeros({4});
};

struct Net : torch::nn::Module {
  Net() {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    quantizer = register_module("quantizer", std::make_shared<Quantizer>());
  }
  torch::Tensor forward(const torch::Tensor& x) { return quantizer->forward(fc(x)); }
  torch::nn::Linear fc{nullptr};
  std::shared_ptr<Quantizer> quantizer;
};

int main() {
  Net net;
  net.to(torch::Device("cuda:1"));
  net.forward(torch::zeros({2, 4}, torch::Device("cuda:1")));
}
