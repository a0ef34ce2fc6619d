#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <string>

// A generator on one GPU against a discriminator on the other.

struct Environment {
  Environment() {
    // Default for the small jobs of this project: a single card.
    setenv("CUDA_VISIBLE_DEVICES", "0", 1);
    setenv("TOKENIZERS_PARALLELISM", "false", 1);
  }
  void use_gpus(const std::string& list) { setenv("CUDA_VISIBLE_DEVICES", list.c_str(), 0); }
};

torch::nn::Sequential mlp(int64_t in, int64_t hidden, int64_t out) {
  using namespace torch::nn;
  return Sequential(Linear(in, hidden), LeakyReLU(LeakyReLUOptions().negative_slope(0.2)),
                    Linear(hidden, out));
}

class Gan {
 public:
  Gan(torch::Device g, torch::Device d)
      : g_device_(g), d_device_(d), generator_(mlp(4, 16, 2)), discriminator_(mlp(2, 16, 1)) {
    generator_->to(g_device_);
    discriminator_->to(d_device_);
    g_opt_ = std::make_unique<torch::optim::Adam>(generator_->parameters(), 1e-3);
    d_opt_ = std::make_unique<torch::optim::Adam>(discriminator_->parameters(), 1e-3);
  }

  std::pair<float, float> step(const torch::Tensor& real) {
    auto fake = generator_->forward(torch::randn({real.size(0), 4}, g_device_)).to(d_device_);
    auto on_real = discriminator_->forward(real.to(d_device_));
    auto on_fake = discriminator_->forward(fake.detach());
    auto d_loss = torch::softplus(-on_real).mean() + torch::softplus(on_fake).mean();
    d_opt_->zero_grad();
    d_loss.backward();
    d_opt_->step();

    auto g_loss = torch::softplus(-discriminator_->forward(fake)).mean();
    g_opt_->zero_grad();
    g_loss.backward();
    g_opt_->step();
    return {g_loss.item<float>(), d_loss.item<float>()};
  }

 private:
  torch::Device g_device_, d_device_;
  torch::nn::Sequential generator_, discriminator_;
  std::unique_ptr<torch::optim::Adam> g_opt_, d_opt_;
};

int main() {
  Environment environment;
  environment.use_gpus("0,1");
  torch::manual_seed(77);

  Gan gan({torch::kCUDA, 0}, {torch::kCUDA, 1}); // expect: invalid-device
  for (int i = 0; i < 5; ++i) {
    auto angle = torch::rand({16}) * 6.283185;
    auto [g, d] = gan.step(torch::stack({angle.cos(), angle.sin()}, 1));
    std::cout << "generator " << g << ", discriminator " << d << "\n";
  }
}
