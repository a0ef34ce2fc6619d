#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <string>

// GPU 0 drives the display on this machine and is left alone.

struct Settings {
    int gpu = 1;
    int64_t batch = 8;
    int64_t steps = 5;
};

static void select_gpu(int gpu) {
    setenv("CUDA_VISIBLE_DEVICES", std::to_string(gpu).c_str(), 1);
}

class Vae : public torch::nn::Module {
public:
    explicit Vae(int64_t size) {
        encode_ = register_module("encode", torch::nn::Linear(size, 8));
        mu_ = register_module("mu", torch::nn::Linear(8, 2));
        log_var_ = register_module("log_var", torch::nn::Linear(8, 2));
        decode_ = register_module("decode", torch::nn::Sequential(torch::nn::Linear(2, 8), torch::nn::ReLU(),
                                                                  torch::nn::Linear(8, size)));
    }

    std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> forward(const torch::Tensor& x) {
        auto h = torch::relu(encode_(x));
        auto mu = mu_(h), log_var = log_var_(h);
        auto z = mu + torch::randn_like(mu) * torch::exp(0.5 * log_var);
        return {decode_->forward(z), mu, log_var};
    }

private:
    torch::nn::Linear encode_{nullptr}, mu_{nullptr}, log_var_{nullptr};
    torch::nn::Sequential decode_{nullptr};
};

torch::Tensor vae_loss(const torch::Tensor& x, const torch::Tensor& restored, const torch::Tensor& mu,
                       const torch::Tensor& log_var) {
    auto reconstruction = torch::mse_loss(restored, x, torch::Reduction::Sum);
    auto divergence = -0.5 * (1 + log_var - mu.pow(2) - log_var.exp()).sum();
    return (reconstruction + divergence) / x.size(0);
}

int main() {
    Settings settings;
    select_gpu(settings.gpu);
    torch::manual_seed(37);
    const torch::Device device(torch::kCUDA, static_cast<torch::DeviceIndex>(settings.gpu)); // expect: visible-devices

    Vae vae(6);
    vae.to(device);
    torch::optim::Adam optimizer(vae.parameters(), 1e-2);
    for (int64_t step = 0; step < settings.steps; ++step) {
        auto x = torch::rand({settings.batch, 6}).to(device);
        auto [restored, mu, log_var] = vae.forward(x);
        auto loss = vae_loss(x, restored, mu, log_var);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
    }
}
