#include <torch/torch.h>

#include <iostream>
#include <string>

// Linear regression of a polynomial. A few warm-up steps are done on the CPU, where single steps
// are cheap, and the long run is done on the GPU.

struct TrainConfig {
    int warmup_steps = 3;
    int steps = 20;
    double lr = 1e-2;
    double weight_decay = 1e-4;
    std::string device = "cuda:1";
};

class PolyNet : public torch::nn::Module {
public:
    explicit PolyNet(int64_t degree) : degree_(degree) {
        hidden_ = register_module("hidden", torch::nn::Linear(degree, 16));
        head_ = register_module("head", torch::nn::Linear(16, 1));
    }

    torch::Tensor forward(const torch::Tensor& x) {
        std::vector<torch::Tensor> powers;
        for (int64_t i = 1; i <= degree_; ++i) powers.push_back(x.pow(i));
        return head_(torch::gelu(hidden_(torch::cat(powers, 1))));
    }

private:
    int64_t degree_;
    torch::nn::Linear hidden_{nullptr}, head_{nullptr};
};

torch::Tensor target_of(const torch::Tensor& x) { return 0.5 * x.pow(3) - x + 0.25; }

template <typename Net>
double train_step(Net& net, torch::optim::Optimizer& optimizer, torch::Device device) {
    auto x = torch::rand({32, 1}, device) * 2 - 1;
    auto y = target_of(x);
    optimizer.zero_grad();
    auto loss = torch::mse_loss(net.forward(x), y);
    loss.backward();
    optimizer.step(); // expect: optimizer-state-device
    return loss.template item<double>();
}

int main() {
    torch::manual_seed(3);
    TrainConfig config;
    PolyNet net(4);
    torch::optim::Adam optimizer(
        net.parameters(), torch::optim::AdamOptions(config.lr).weight_decay(config.weight_decay));

    double loss = 0;
    for (int i = 0; i < config.warmup_steps; ++i) {
        loss = train_step(net, optimizer, torch::kCPU);
    }
    std::cout << "after warm-up: " << loss << "\n";

    torch::Device device(config.device);
    net.to(device);
    for (int i = 0; i < config.steps; ++i) {
        loss = train_step(net, optimizer, device);
        if (i % 5 == 0) std::cout << "step " << i << ": " << loss << "\n";
    }
    std::cout << "final: " << loss << "\n";
    return 0;
}
