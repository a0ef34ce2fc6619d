#include <torch/torch.h>

#include <cmath>
#include <cstdio>
#include <optional>

// WGAN-GP with generator and critic on different GPUs. The gradient penalty is computed where the
// critic is.
namespace {

torch::nn::Sequential mlp(int64_t in, int64_t out) {
  return torch::nn::Sequential(torch::nn::Linear(in, 12),
                               torch::nn::LeakyReLU(torch::nn::LeakyReLUOptions().negative_slope(0.1)),
                               torch::nn::Linear(12, out));
}

class Wgan {
 public:
  Wgan(torch::Device g_dev, torch::Device c_dev)
      : g_dev_(g_dev), c_dev_(c_dev), generator_(mlp(3, 2)), critic_(mlp(2, 1)) {
    generator_->to(g_dev_);
    critic_->to(c_dev_);
    g_opt_.emplace(generator_->parameters(), torch::optim::RMSpropOptions(1e-3));
    c_opt_.emplace(critic_->parameters(), torch::optim::RMSpropOptions(1e-3));
  }

  double critic_step(const torch::Tensor& samples) {
    auto real = samples.to(c_dev_);
    auto fake = sample(real.size(0)).detach().to(real.device());
    c_opt_->zero_grad();
    auto loss = critic_->forward(fake).mean() - critic_->forward(real).mean() +
                10.0 * penalty(real, fake);
    loss.backward();
    c_opt_->step();
    return loss.item<double>();
  }

  double generator_step(int64_t n) {
    g_opt_->zero_grad();
    auto score = critic_->forward(sample(n).to(c_dev_));
    auto loss = -score.mean();
    loss.backward();
    g_opt_->step();
    return loss.item<double>();
  }

  torch::Tensor sample(int64_t n) {
    auto noise = torch::randn({n, 3}, torch::TensorOptions().device(g_dev_));
    return generator_->forward(noise);
  }

 private:
  torch::Tensor penalty(const torch::Tensor& real, const torch::Tensor& fake) {
    auto eps = torch::rand({real.size(0), 1}, real.options());
    auto mixed = (eps * real + (1 - eps) * fake).requires_grad_(true);
    auto score = critic_->forward(mixed);
    auto grad = torch::autograd::grad({score}, {mixed}, {torch::ones_like(score)},
                                      /*retain_graph=*/true, /*create_graph=*/true)[0];
    return (grad.norm(2, {1}) - 1).pow(2).mean();
  }

  torch::Device g_dev_, c_dev_;
  torch::nn::Sequential generator_, critic_;
  std::optional<torch::optim::RMSprop> g_opt_, c_opt_;
};

torch::Tensor circle(int64_t n) {
  auto angle = torch::rand({n}) * 2 * M_PI;
  return torch::stack({angle.cos(), angle.sin()}, 1);
}

}  // namespace

int main() {
  torch::manual_seed(9);
  Wgan gan(torch::Device("cuda:1"), torch::Device("cuda:0"));
  for (int i = 0; i < 4; ++i) {
    double c = 0;
    for (int k = 0; k < 3; ++k) c = gan.critic_step(circle(10));
    double g = gan.generator_step(10);
    std::printf("iteration %d critic %.4f generator %.4f\n", i, c, g);
  }
  torch::NoGradGuard guard;
  auto samples = gan.sample(5).to(torch::kCPU);
  auto distance = torch::cdist(samples, circle(50)).min();
  std::printf("distance to the circle %.4f\n", distance.item<float>());
}
