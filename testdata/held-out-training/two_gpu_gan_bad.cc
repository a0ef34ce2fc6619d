#include <torch/torch.h>

#include <iostream>

// Small GAN on one-dimensional data. The generator lives on the first GPU and the discriminator on
// the second, so that both can be made larger independently.

struct GeneratorImpl : torch::nn::Module {
  GeneratorImpl(int64_t noise, int64_t width)
      : fc1(register_module("fc1", torch::nn::Linear(noise, width))),
        fc2(register_module("fc2", torch::nn::Linear(width, width))),
        out(register_module("out", torch::nn::Linear(width, 4))) {}

  torch::Tensor forward(torch::Tensor z) {
    z = torch::relu(fc1(z));
    z = torch::relu(fc2(z));
    return torch::tanh(out(z));
  }

  torch::nn::Linear fc1, fc2, out;
};
TORCH_MODULE(Generator);

struct DiscriminatorImpl : torch::nn::Module {
  explicit DiscriminatorImpl(int64_t width)
      : fc1(register_module("fc1", torch::nn::Linear(4, width))),
        fc2(register_module("fc2", torch::nn::Linear(width, 1))) {}

  torch::Tensor forward(torch::Tensor x) { return fc2(torch::leaky_relu(fc1(x), 0.2)); }

  torch::nn::Linear fc1, fc2;
};
TORCH_MODULE(Discriminator);

struct Options {
  int64_t noise_size = 8;
  int64_t width = 16;
  int64_t batch_size = 12;
  int epochs = 3;
  int batches = 2;
  double lr = 2e-4;
};

int main() {
  torch::manual_seed(1);
  Options options;
  torch::Device g_device(torch::kCUDA, 0);
  torch::Device d_device(torch::kCUDA, 1);

  Generator generator(options.noise_size, options.width);
  Discriminator discriminator(options.width);
  generator->to(g_device);
  discriminator->to(d_device);

  torch::optim::Adam g_optim(generator->parameters(),
                             torch::optim::AdamOptions(options.lr).betas({0.5, 0.999}));
  torch::optim::Adam d_optim(discriminator->parameters(),
                             torch::optim::AdamOptions(options.lr).betas({0.5, 0.999}));

  auto real_labels = torch::ones({options.batch_size, 1}, torch::TensorOptions().device(g_device));
  auto fake_labels = torch::zeros({options.batch_size, 1}, torch::TensorOptions().device(d_device));

  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    double d_total = 0, g_total = 0;
    for (int b = 0; b < options.batches; ++b) {
      // Discriminator on fakes first, then on real data.
      discriminator->zero_grad();
      auto z = torch::randn({options.batch_size, options.noise_size}, g_device);
      auto fake = generator(z);
      auto fake_score = discriminator(fake.detach().to(d_device));
      auto d_loss_fake = torch::binary_cross_entropy_with_logits(fake_score, fake_labels);
      d_loss_fake.backward();

      auto real = torch::randn({options.batch_size, 4}).mul(0.3).to(d_device);
      auto real_score = discriminator(real);
      auto d_loss_real = torch::binary_cross_entropy_with_logits(real_score, real_labels); // expect: device-mismatch
      d_loss_real.backward();
      d_optim.step();
      d_total += (d_loss_fake + d_loss_real).item<double>();

      // Generator: the discriminator must call its output real.
      generator->zero_grad();
      auto score = discriminator(fake.to(d_device));
      auto g_loss = torch::binary_cross_entropy_with_logits(score, real_labels); // expect: device-mismatch
      g_loss.backward();
      g_optim.step();
      g_total += g_loss.item<double>();
    }
    std::cout << "epoch " << epoch << " D " << d_total / options.batches << " G "
              << g_total / options.batches << "\n";
  }
}
