#include <torch/torch.h>

#include <iostream>

// Wasserstein GAN with weight clipping; generator and critic on two GPUs.

struct Critic : torch::nn::Module {
  explicit Critic(int64_t size) {
    body = register_module("body", torch::nn::Sequential(torch::nn::Linear(size, 16), torch::nn::ReLU(),
                                                         torch::nn::Linear(16, 1)));
  }
  torch::Tensor forward(const torch::Tensor& x) { return body->forward(x); }
  void clip(double limit) {
    torch::NoGradGuard guard;
    for (auto& p : parameters()) p.clamp_(-limit, limit);
  }
  torch::nn::Sequential body{nullptr};
};

struct Generator : torch::nn::Module {
  Generator(int64_t noise, int64_t size) : noise(noise) {
    body = register_module("body", torch::nn::Sequential(torch::nn::Linear(noise, 16), torch::nn::ReLU(),
                                                         torch::nn::Linear(16, size)));
  }
  torch::Tensor sample(int64_t count) {
    const auto device = parameters().front().device();
    return body->forward(torch::randn({count, noise}, device));
  }
  int64_t noise;
  torch::nn::Sequential body{nullptr};
};

torch::Tensor real_batch(int64_t count) {
  auto angle = torch::rand({count, 1}) * 6.2831853;
  return torch::cat({torch::cos(angle), torch::sin(angle)}, 1);
}

int main() {
  torch::manual_seed(23);
  const int64_t batch = 16;
  torch::Device gen_device("cuda:0"), critic_device("cuda:1");

  Generator generator(4, 2);
  Critic critic(2);
  generator.to(gen_device);
  critic.to(critic_device);
  torch::optim::RMSprop gen_optimizer(generator.parameters(), 5e-4);
  torch::optim::RMSprop critic_optimizer(critic.parameters(), 5e-4);

  const auto ones = torch::ones({batch, 1}, critic_device);
  for (int iteration = 0; iteration < 4; ++iteration) {
    torch::Tensor distance;
    for (int k = 0; k < 2; ++k) {
      torch::Tensor fake;
      {
        torch::NoGradGuard guard;
        fake = generator.sample(batch).to(critic_device);
      }
      auto real = real_batch(batch).to(critic_device);
      distance = critic.forward(real).mean() - critic.forward(fake).mean();
      critic_optimizer.zero_grad();
      (-distance).backward();
      critic_optimizer.step();
      critic.clip(0.05);
    }

    // Gradients flow from the critic's GPU back to the generator's.
    auto scores = critic.forward(generator.sample(batch).to(critic_device));
    gen_optimizer.zero_grad();
    scores.backward(-ones / batch);
    gen_optimizer.step();
    std::cout << "iteration " << iteration << " distance " << distance.item<float>() << "\n";
  }

  torch::NoGradGuard guard;
  auto radius = generator.sample(50).norm(2, 1).mean();
  auto expected = torch::tensor(1.0f);
  std::cout << "radius off by " << (radius - expected).abs().item<float>() << "\n";
}
