#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

// Experiment runner: the configuration names the cards to use and the device of each part.

struct Config {
  std::string visible = "0";
  std::string generator_device = "cuda:0";
  std::string critic_device = "cuda:1";
  int64_t noise = 4;
  int steps = 3;
};

Config from_environment() {
  Config config;
  if (const char* steps = std::getenv("CC3_STEPS")) config.steps = std::atoi(steps);
  return config;
}

struct GeneratorImpl : torch::nn::Module {
  explicit GeneratorImpl(int64_t noise)
      : up(register_module("up", torch::nn::Linear(noise, 12))),
        out(register_module("out", torch::nn::Linear(12, 6))) {}
  torch::Tensor forward(torch::Tensor z) { return torch::tanh(out(torch::relu(up(z)))); }
  torch::nn::Linear up, out;
};
TORCH_MODULE(Generator);

struct CriticImpl : torch::nn::Module {
  CriticImpl() : net(register_module("net", torch::nn::Linear(6, 1))) {}
  torch::Tensor forward(torch::Tensor x) { return net(x); }
  torch::nn::Linear net;
};
TORCH_MODULE(Critic);

int main() {
  const Config config = from_environment();
  setenv("CUDA_VISIBLE_DEVICES", config.visible.c_str(), /*overwrite=*/1);
  torch::manual_seed(42);

  const torch::Device generator_device(config.generator_device);
  const torch::Device critic_device(config.critic_device); // expect: invalid-device

  Generator generator(config.noise);
  generator->to(generator_device);
  Critic critic;
  critic->to(critic_device);

  torch::optim::Adam optimizer(generator->parameters(), torch::optim::AdamOptions(2e-4));
  for (int step = 0; step < config.steps; ++step) {
    auto z = torch::randn({8, config.noise}).to(generator_device);
    optimizer.zero_grad();
    auto fake = generator->forward(z);
    auto loss = -critic->forward(fake.to(critic_device)).mean();
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << " loss " << loss.item<float>() << std::endl;
  }
  return 0;
}
