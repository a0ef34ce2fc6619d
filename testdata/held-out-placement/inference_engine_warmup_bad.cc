#include <torch/torch.h>

#include <chrono>
#include <iostream>
#include <optional>

struct EngineConfig {
  std::optional<int> gpu;
  int64_t batch = 4;
  int warmup_rounds = 3;
};

struct ResidualImpl : torch::nn::Module {
  explicit ResidualImpl(int64_t width)
      : a(register_module("a", torch::nn::Linear(width, width))),
        b(register_module("b", torch::nn::Linear(width, width))) {}
  torch::Tensor forward(const torch::Tensor& x) {
    auto hidden = torch::silu(a(x));
    return x + b(hidden);
  }
  torch::nn::Linear a, b;
};
TORCH_MODULE(Residual);

class Engine {
 public:
  Engine(Residual net, const EngineConfig& config)
      : net_(std::move(net)),
        config_(config),
        device_(config.gpu ? torch::Device(torch::kCUDA, *config.gpu) : torch::Device(torch::kCPU)) {
    net_->to(device_);
    net_->eval();
    warm_up();
  }

  torch::Tensor run(const torch::Tensor& input) {
    torch::InferenceMode inference;
    return net_->forward(input.to(device_)).to(torch::kCPU);
  }

 private:
  // The first calls are slow: kernels are loaded, workspaces allocated.
  void warm_up() {
    torch::InferenceMode inference;
    const auto kind = config_.gpu ? torch::kCUDA : torch::kCPU;
    auto dummy = torch::zeros({config_.batch, 8}, kind);
    for (int i = 0; i < config_.warmup_rounds; ++i) net_->forward(dummy); // expect: device-mismatch
  }

  Residual net_;
  EngineConfig config_;
  torch::Device device_;
};

int main() {
  torch::manual_seed(2);
  EngineConfig config;
  config.gpu = 1;
  Engine engine(Residual(8), config);

  using Clock = std::chrono::steady_clock;
  for (int i = 0; i < 4; ++i) {
    auto begin = Clock::now();
    auto output = engine.run(torch::randn({config.batch, 8}));
    std::chrono::duration<double, std::micro> taken = Clock::now() - begin;
    std::cout << "request " << i << " norm " << output.norm().item<float>() << "\n";
    std::cerr << taken.count() << " us\n";
  }
}
