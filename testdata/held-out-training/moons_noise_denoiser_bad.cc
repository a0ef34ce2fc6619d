// arguments: 0
#include <torch/torch.h>

#include <cmath>
#include <iostream>
#include <optional>

// Denoising model: noise levels come from a fixed schedule that is part of the model.
struct Schedule {
  torch::Tensor betas;
  torch::Tensor alpha_bar;

  explicit Schedule(int64_t steps) {
    betas = torch::linspace(1e-3, 0.2, steps);
    alpha_bar = torch::cumprod(1 - betas, 0);
  }
};

class DenoiserImpl : public torch::nn::Module {
 public:
  DenoiserImpl(int64_t dim, int64_t steps)
      : steps_(steps), schedule_(steps), time_(steps, 8), fc1_(dim + 8, 32), fc2_(32, dim) {
    register_module("time", time_);
    register_module("fc1", fc1_);
    register_module("fc2", fc2_);
    register_buffer("betas", schedule_.betas);
  }

  torch::Tensor predict(const torch::Tensor& noisy, const torch::Tensor& t) {
    auto h = torch::cat({noisy, time_(t)}, 1);
    return fc2_(torch::relu(fc1_(h)));
  }

  torch::Tensor loss(const torch::Tensor& clean) {
    auto t = torch::randint(0, steps_, {clean.size(0)}, clean.options().dtype(torch::kLong));
    auto noise = torch::randn_like(clean);
    auto level = schedule_.alpha_bar.index_select(0, t).unsqueeze(1); // expect: device-mismatch
    auto noisy = level.sqrt() * clean + (1 - level).sqrt() * noise;
    return torch::mse_loss(predict(noisy, t), noise);
  }

  int64_t steps() const { return steps_; }

 private:
  int64_t steps_;
  Schedule schedule_;
  torch::nn::Embedding time_;
  torch::nn::Linear fc1_, fc2_;
};
TORCH_MODULE(Denoiser);

torch::Tensor moons(int64_t n) {
  auto angle = torch::rand({n}) * M_PI;
  auto side = torch::randint(0, 2, {n}).to(torch::kFloat);
  auto x = angle.cos() + side;
  auto y = angle.sin() * (1 - 2 * side) + 0.5 * side;
  return torch::stack({x, y}, 1);
}

int main(int argc, char** argv) {
  torch::manual_seed(18);
  const int gpu = argc > 1 ? std::atoi(argv[1]) : 1;
  torch::Device device(torch::kCUDA, static_cast<torch::DeviceIndex>(gpu));

  Denoiser model(2, 10);
  model->to(device);
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(2e-3));

  double smooth = 0;
  for (int step = 0; step < 5; ++step) {
    auto batch = moons(24).to(device);
    auto loss = model->loss(batch);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    smooth = step ? 0.8 * smooth + 0.2 * loss.item<double>() : loss.item<double>();
    std::cout << "step " << step << " loss " << smooth << "\n";
  }
  return 0;
}
