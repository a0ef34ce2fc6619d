#include <torch/torch.h>

#include <iostream>
#include <map>
#include <string>

// Exponential moving average of the weights (as in the diffusion papers).
class Ema {
 public:
  Ema(const torch::nn::Module& module, double decay) : decay_(decay) {
    for (const auto& p : module.named_parameters()) shadow_[p.key()] = p.value().detach().clone();
  }

  void update(const torch::nn::Module& module) {
    torch::NoGradGuard guard;
    for (const auto& p : module.named_parameters()) {
      shadow_[p.key()].mul_(decay_).add_(p.value(), 1.0 - decay_); // expect: device-mismatch
    }
  }

  void copy_to(torch::nn::Module& module) const {
    torch::NoGradGuard guard;
    for (auto& p : module.named_parameters()) p.value().copy_(shadow_.at(p.key()));
  }

 private:
  double decay_;
  std::map<std::string, torch::Tensor> shadow_;
};

struct DenoiserImpl : torch::nn::Module {
  DenoiserImpl() {
    time = register_module("time", torch::nn::Linear(1, 16));
    in = register_module("in", torch::nn::Linear(4, 16));
    out = register_module("out", torch::nn::Linear(16, 4));
  }
  torch::Tensor forward(torch::Tensor x, torch::Tensor t) { return out(torch::silu(in(x) + time(t))); }
  torch::nn::Linear time{nullptr}, in{nullptr}, out{nullptr};
};
TORCH_MODULE(Denoiser);

int main() {
  torch::manual_seed(0);
  const bool gpu = torch::cuda::is_available();
  const torch::Device device(gpu ? torch::kCUDA : torch::kCPU);

  Denoiser model;
  Ema ema(*model, 0.99);
  model->to(device);
  torch::optim::AdamW optimizer(model->parameters(), torch::optim::AdamWOptions(1e-3));

  for (int step = 0; step < 10; ++step) {
    auto clean = torch::randn({8, 4}, device);
    auto t = torch::rand({8, 1}, device);
    auto noise = torch::randn_like(clean);
    auto noisy = clean * (1 - t) + noise * t;
    auto loss = (model(noisy, t) - noise).pow(2).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    ema.update(*model);
    if (step % 5 == 4) std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
  }

  Denoiser sampler;
  sampler->to(device);
  ema.copy_to(*sampler);
  torch::NoGradGuard guard;
  auto x = torch::randn({2, 4}, device);
  for (int i = 4; i > 0; --i) x = x - 0.25 * sampler(x, torch::full({2, 1}, i / 4.0, device));
  std::cout << "sample " << x.cpu() << "\n";
}
