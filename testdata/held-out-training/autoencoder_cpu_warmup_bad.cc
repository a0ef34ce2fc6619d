#include <torch/torch.h>

#include <iostream>
#include <string>

// Short warm-up on the CPU, then the real training on the GPU.
struct Options {
  int warmup = 2;
  int steps = 4;
  int64_t batch = 10;
  double peak_lr = 5e-3;
};

struct AutoencoderImpl : torch::nn::Module {
  AutoencoderImpl(int64_t in, int64_t code) {
    encoder = register_module("encoder", torch::nn::Sequential(torch::nn::Linear(in, 10),
                                                               torch::nn::ELU(),
                                                               torch::nn::Linear(10, code)));
    decoder = register_module("decoder", torch::nn::Sequential(torch::nn::Linear(code, 10),
                                                               torch::nn::ELU(),
                                                               torch::nn::Linear(10, in)));
  }
  torch::Tensor forward(torch::Tensor x) { return decoder->forward(encoder->forward(x)); }
  torch::nn::Sequential encoder{nullptr}, decoder{nullptr};
};
TORCH_MODULE(Autoencoder);

class Session {
 public:
  explicit Session(Options options)
      : options_(options),
        model_(12, 3),
        adam_(model_->parameters(), torch::optim::AdamOptions(options.peak_lr)),
        basis_(torch::randn({3, 12})) {}

  void run() {
    for (int i = 0; i < options_.warmup; ++i) {
      set_lr(options_.peak_lr * (i + 1) / (options_.warmup + 1));
      report("warm-up", i, train_step());
    }
    move_to(torch::Device(torch::kCUDA, 0));
    set_lr(options_.peak_lr);
    for (int i = 0; i < options_.steps; ++i) report("train", i, train_step());
  }

 private:
  void move_to(torch::Device device) {
    device_ = device;
    model_->to(device_);
    basis_ = basis_.to(device_);
  }

  void set_lr(double lr) {
    for (auto& group : adam_.param_groups()) {
      static_cast<torch::optim::AdamOptions&>(group.options()).lr(lr);
    }
  }

  torch::Tensor next_batch() {
    return torch::randn({options_.batch, 3}, torch::device(device_)).matmul(basis_);
  }

  double train_step() {
    auto x = next_batch();
    model_->zero_grad(/*set_to_none=*/true);
    auto loss = torch::mse_loss(model_->forward(x), x);
    loss.backward();
    adam_.step(); // expect: optimizer-state-device
    return loss.item<double>();
  }

  void report(const std::string& phase, int i, double loss) {
    std::cout << phase << " " << i << " on " << device_ << ": " << loss << std::endl;
  }

  Options options_;
  torch::Device device_{torch::kCPU};
  Autoencoder model_;
  torch::optim::Adam adam_;
  torch::Tensor basis_;
};

int main() {
  torch::manual_seed(10);
  Session session(Options{});
  session.run();
}
