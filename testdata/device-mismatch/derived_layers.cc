// Layers of a program that are derived from the library's: they have its parameters.
#include <torch/torch.h>

class ScaledLinearImpl : public torch::nn::LinearImpl {
 public:
  ScaledLinearImpl(int64_t in, int64_t out, double scale)
      : torch::nn::LinearImpl(in, out), scale_(scale) {}
  torch::Tensor forward(const torch::Tensor& x) {
    return torch::nn::LinearImpl::forward(x) * scale_;
  }

 private:
  double scale_;
};
TORCH_MODULE(ScaledLinear);

struct PlainConvImpl : torch::nn::ConvTranspose2dImpl {
  using torch::nn::ConvTranspose2dImpl::ConvTranspose2dImpl;
  torch::Tensor forward(const torch::Tensor& x) {
    return torch::nn::ConvTranspose2dImpl::forward(x, c10::nullopt);
  }
};
TORCH_MODULE(PlainConv);

struct NetImpl : torch::nn::Module {
  NetImpl() {
    body = torch::nn::Sequential(PlainConv(torch::nn::ConvTranspose2dOptions(1, 2, 3)),
                                 torch::nn::Functional(torch::relu), torch::nn::Flatten(),
                                 ScaledLinear(72, 4, 0.5));
    register_module("body", body);
  }
  torch::Tensor forward(torch::Tensor x) { return body->forward(x); }
  torch::nn::Sequential body{nullptr};
};
TORCH_MODULE(Net);

int main() {
  torch::Device device(torch::kCUDA);
  Net net;
  net->to(device);
  auto image = torch::rand({1, 1, 4, 4});
  auto good = net(image.to(device));
  auto bad = good * torch::ones({1, 4});  // expect: device-mismatch
  ScaledLinear head(4, 2, 2.0);
  head(good);  // expect: device-mismatch
  return 0;
}
