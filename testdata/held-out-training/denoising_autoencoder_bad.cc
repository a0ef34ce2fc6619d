#include <torch/torch.h>

#include <iostream>
#include <optional>
#include <string>

#include "runtime/torch/data_parallel.h"

// Denoising autoencoder on all GPUs. The reconstruction is gathered on the last one.

struct AutoencoderImpl : torch::nn::Cloneable<AutoencoderImpl> {
    AutoencoderImpl(int64_t size, int64_t code) : size(size), code(code) { reset(); }

    void reset() override {
        encoder = register_module("encoder", torch::nn::Sequential(torch::nn::Linear(size, 12), torch::nn::ReLU(),
                                                                   torch::nn::Linear(12, code)));
        decoder = register_module("decoder", torch::nn::Sequential(torch::nn::Linear(code, 12), torch::nn::ReLU(),
                                                                   torch::nn::Linear(12, size)));
    }

    torch::Tensor forward(torch::Tensor x) {
        if (is_training()) x = x + 0.1 * torch::randn_like(x);
        return decoder->forward(encoder->forward(x));
    }

    int64_t size, code;
    torch::nn::Sequential encoder{nullptr}, decoder{nullptr};
};
TORCH_MODULE(Autoencoder);

struct Config {
    int64_t size = 10;
    int64_t code = 3;
    int64_t batch = 16;
    int epochs = 3;
    double lr = 3e-3;
    torch::Device main_device = torch::Device("cuda:0");
    torch::Device output_device = torch::Device("cuda:1");
};

torch::Tensor low_rank_data(int64_t rows, int64_t size) {
    return torch::randn({rows, 3}).mm(torch::randn({3, size}));
}

double run_epoch(placecheck::parallel::DataParallel& net, torch::optim::Optimizer& optimizer,
                 const torch::Tensor& data, const Config& config) {
    double total = 0;
    net.train();
    for (const auto& rows : data.split(config.batch)) {
        auto batch = rows.to(config.main_device);
        optimizer.zero_grad();
        auto restored = net.forward(batch);
        auto loss = torch::mse_loss(restored, batch); // expect: device-mismatch
        loss.backward();
        optimizer.step();
        total += loss.item<double>() * rows.size(0);
    }
    return total / data.size(0);
}

int main() {
    torch::manual_seed(29);
    Config config;
    auto data = low_rank_data(48, config.size);

    Autoencoder autoencoder(config.size, config.code);
    autoencoder->to(config.main_device);
    placecheck::parallel::DataParallel net(autoencoder, {0, 1}, config.output_device);
    torch::optim::Adam optimizer(net.parameters(), config.lr);

    for (int epoch = 0; epoch < config.epochs; ++epoch) {
        std::cout << "epoch " << epoch << " loss " << run_epoch(net, optimizer, data, config) << "\n";
    }
}
