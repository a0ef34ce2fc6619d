#include <torch/torch.h>

#include <iostream>
#include <vector>

// Exponential moving average of the weights.
class Ema {
 public:
  Ema(const torch::nn::Module& model, double decay) : decay_(decay) {
    for (const auto& p : model.parameters()) {
      shadow_.push_back(p.detach().clone());
    }
  }

  void update(const torch::nn::Module& model) {
    torch::NoGradGuard no_grad;
    auto parameters = model.parameters();
    for (size_t i = 0; i < shadow_.size(); ++i) {
      shadow_[i].mul_(decay_).add_(parameters[i], 1.0 - decay_); // expect: device-mismatch
    }
  }

  const std::vector<torch::Tensor>& shadow() const { return shadow_; }

 private:
  double decay_;
  std::vector<torch::Tensor> shadow_;
};

struct Denoiser : torch::nn::Module {
  Denoiser() {
    in = register_module("in", torch::nn::Linear(12, 24));
    out = register_module("out", torch::nn::Linear(24, 12));
  }
  torch::Tensor forward(torch::Tensor x) { return x + out(torch::silu(in(x))); }
  torch::nn::Linear in{nullptr}, out{nullptr};
};

struct Settings {
  double lr = 1e-3;
  double ema_decay = 0.99;
  double sigma = 0.3;
  int steps = 5;
};

void train(Denoiser& model, Ema& ema, const Settings& settings, torch::Device device) {
  torch::optim::AdamW optimizer(model.parameters(), torch::optim::AdamWOptions(settings.lr));
  for (int step = 1; step <= settings.steps; ++step) {
    auto clean = torch::rand({8, 12}, device);
    auto noisy = clean + settings.sigma * torch::randn_like(clean);
    optimizer.zero_grad();
    auto loss = torch::mse_loss(model.forward(noisy), clean);
    loss.backward();
    optimizer.step();
    ema.update(model);
    std::cout << "step " << step << ": " << loss.item<float>() << "\n";
  }
}

int main() {
  torch::manual_seed(25);
  Settings settings;
  Denoiser model;
  Ema ema(model, settings.ema_decay);

  torch::Device device(torch::kCUDA, 0);
  model.to(device);
  train(model, ema, settings, device);

  double difference = 0;
  auto parameters = model.parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    difference += (parameters[i] - ema.shadow()[i]).abs().sum().item<double>(); // expect: device-mismatch
  }
  std::cout << "distance of the average " << difference << std::endl;
}
