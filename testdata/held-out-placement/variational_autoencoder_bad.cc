#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

// Variational auto-encoder; the noise is drawn where the weights are.

class VaeImpl : public torch::nn::Module {
 public:
  VaeImpl(int64_t input, int64_t latent)
      : latent_(latent),
        encoder_(register_module("encoder", torch::nn::Linear(input, 16))),
        mean_(register_module("mean", torch::nn::Linear(16, latent))),
        log_var_(register_module("log_var", torch::nn::Linear(16, latent))),
        decoder_(register_module("decoder", torch::nn::Linear(latent, input))),
        device_(encoder_->weight.device()) {}

  struct Output {
    torch::Tensor reconstruction, mean, log_var;
  };

  Output forward(const torch::Tensor& x) {
    auto hidden = torch::relu(encoder_(x));
    auto mean = mean_(hidden), log_var = log_var_(hidden);
    auto z = mean + noise(x.size(0)) * torch::exp(0.5 * log_var); // expect: device-mismatch
    return {torch::sigmoid(decoder_(z)), mean, log_var};
  }

  torch::Tensor sample(int64_t n) { return torch::sigmoid(decoder_(noise(n))); } // expect: device-mismatch

 private:
  torch::Tensor noise(int64_t n) const { return torch::randn({n, latent_}, device_); }

  int64_t latent_;
  torch::nn::Linear encoder_, mean_, log_var_, decoder_;
  torch::Device device_;
};
TORCH_MODULE(Vae);

torch::Tensor elbo(const VaeImpl::Output& out, const torch::Tensor& x) {
  auto fit = torch::binary_cross_entropy(out.reconstruction, x, {}, at::Reduction::Sum);
  auto divergence = -0.5 * torch::sum(1 + out.log_var - out.mean.pow(2) - out.log_var.exp());
  return (fit + divergence) / x.size(0);
}

int main() {
  torch::manual_seed(18);
  const torch::Device device(torch::kCUDA);
  Vae vae(12, 3);
  vae->to(device);
  torch::optim::Adam optimizer(vae->parameters(), 1e-2);

  for (int step = 0; step < 10; ++step) {
    auto x = torch::rand({20, 12}, device).round();
    auto loss = elbo(vae->forward(x), x);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    if (step % 3 == 0) std::cout << "step " << step << " -elbo " << loss.item<float>() << "\n";
  }
  torch::NoGradGuard no_grad;
  std::cout << vae->sample(2).cpu() << std::endl;
}
