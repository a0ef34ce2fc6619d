// A class of a library: its constructor is told the device, and whoever makes one moves it there.
#include <torch/torch.h>

class Diffusion : public torch::nn::Module {
 public:
  Diffusion(int64_t steps, torch::Device device) {
    rates_ = torch::linspace(0.0001, 0.02, steps).to(device);
    kept_ = torch::cumprod(1.0 - rates_, 0);
    model_ = register_module("model", torch::nn::Linear(8, 8));
  }

  torch::Tensor denoise(torch::Tensor x, torch::Tensor step) {
    auto kept = kept_.index_select(0, step).view({-1, 1});
    return torch::sqrt(kept) * model_(x) + torch::sqrt(1.0 - kept) * x;
  }

 private:
  torch::Tensor rates_, kept_;
  torch::nn::Linear model_{nullptr};
};

torch::Tensor sample(Diffusion& diffusion, torch::Device device) {
  auto x = torch::randn({1, 8}).to(device);
  return diffusion.denoise(x, torch::full({1}, 3, torch::kLong).to(device));
}
