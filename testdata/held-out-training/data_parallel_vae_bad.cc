#include <torch/torch.h>

#include <iostream>
#include <memory>

#include "runtime/torch/data_parallel.h"

static const torch::Device kDevice("cuda:0");

// Variational autoencoder, two GPUs.
class VaeImpl : public torch::nn::Cloneable<VaeImpl> {
 public:
  VaeImpl(int64_t in, int64_t latent) : in_(in), latent_(latent) { reset(); }

  void reset() override {
    encoder_ = register_module("encoder", torch::nn::Sequential(torch::nn::Linear(in_, 16),
                                                                torch::nn::ReLU()));
    mu_ = register_module("mu", torch::nn::Linear(16, latent_));
    logvar_ = register_module("logvar", torch::nn::Linear(16, latent_));
    decoder_ = register_module("decoder", torch::nn::Sequential(torch::nn::Linear(latent_, 16),
                                                                torch::nn::ReLU(),
                                                                torch::nn::Linear(16, in_)));
  }

  std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> forward(torch::Tensor x) {
    auto h = encoder_->forward(x);
    auto mu = mu_->forward(h);
    auto logvar = logvar_->forward(h);
    auto z = reparameterize(mu, logvar);
    return std::make_tuple(decoder_->forward(z), mu, logvar);
  }

 private:
  torch::Tensor reparameterize(const torch::Tensor& mu, const torch::Tensor& logvar) {
    if (!is_training()) return mu;
    auto noise = torch::randn({mu.size(0), latent_}, torch::dtype(torch::kFloat).device(kDevice));
    return mu + torch::exp(0.5 * logvar) * noise; // expect: device-mismatch
  }

  int64_t in_, latent_;
  torch::nn::Sequential encoder_{nullptr}, decoder_{nullptr};
  torch::nn::Linear mu_{nullptr}, logvar_{nullptr};
};
TORCH_MODULE(Vae);

torch::Tensor elbo(const torch::Tensor& recon, const torch::Tensor& x, const torch::Tensor& mu,
                   const torch::Tensor& logvar) {
  auto rec = torch::mse_loss(recon, x, torch::Reduction::Sum);
  auto kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum();
  return (rec + kld) / x.size(0);
}

int main() {
  torch::manual_seed(11);
  Vae vae(20, 4);
  vae->to(kDevice);
  placecheck::parallel::DataParallel net(vae, {0, 1});
  torch::optim::Adam optimizer(vae->parameters(), torch::optim::AdamOptions(2e-3));

  auto data = torch::rand({40, 20});

  // Look at the untrained reconstruction first.
  {
    torch::NoGradGuard guard;
    net.eval();
    auto [recon, mu, logvar] =
        net.call<std::tuple<torch::Tensor, torch::Tensor, torch::Tensor>>(data);
    std::cout << "before: " << (recon.cpu() - data).abs().mean().item<float>() << std::endl;
  }

  net.train();
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (auto& batch : data.split(8)) {
      auto x = batch.to(kDevice);
      auto [recon, mu, logvar] =
          net.call<std::tuple<torch::Tensor, torch::Tensor, torch::Tensor>>(x);
      auto loss = elbo(recon, x, mu, logvar);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      std::cout << "loss " << loss.item<float>() << "\n";
    }
  }
}
