#include <torch/torch.h>

#include <iostream>

// GAN on two cards: the generator lives on the first, the discriminator on the second.
struct GeneratorImpl : torch::nn::Module {
  GeneratorImpl(int noise, int out)
      : fc1(register_module("fc1", torch::nn::Linear(noise, 16))),
        bn(register_module("bn", torch::nn::BatchNorm1d(16))),
        fc2(register_module("fc2", torch::nn::Linear(16, out))) {}
  torch::Tensor forward(torch::Tensor z) { return torch::tanh(fc2(torch::relu(bn(fc1(z))))); }
  torch::nn::Linear fc1;
  torch::nn::BatchNorm1d bn;
  torch::nn::Linear fc2;
};
TORCH_MODULE(Generator);

struct DiscriminatorImpl : torch::nn::Module {
  explicit DiscriminatorImpl(int in)
      : fc1(register_module("fc1", torch::nn::Linear(in, 16))),
        fc2(register_module("fc2", torch::nn::Linear(16, 1))) {}
  torch::Tensor forward(torch::Tensor x) {
    return torch::sigmoid(fc2(torch::leaky_relu(fc1(x), 0.2))).squeeze(1);
  }
  torch::nn::Linear fc1, fc2;
};
TORCH_MODULE(Discriminator);

const int kNoise = 6;
const int kData = 4;
const int64_t kBatch = 8;

int main() {
  torch::manual_seed(1);
  torch::Device gen_device(torch::kCUDA, 0);
  torch::Device dis_device(torch::kCUDA, 1);

  Generator generator(kNoise, kData);
  Discriminator discriminator(kData);
  generator->to(gen_device);
  discriminator->to(dis_device);

  torch::optim::Adam gen_optimizer(generator->parameters(),
                                   torch::optim::AdamOptions(2e-4).betas({0.5, 0.999}));
  torch::optim::Adam dis_optimizer(discriminator->parameters(),
                                   torch::optim::AdamOptions(2e-4).betas({0.5, 0.999}));

  auto real_data = torch::rand({32, kData}) * 2 - 1;

  for (int epoch = 0; epoch < 2; ++epoch) {
    int64_t index = 0;
    for (auto& batch : real_data.split(kBatch)) {
      // Train the discriminator with real data.
      discriminator->zero_grad();
      auto real = batch.to(dis_device);
      auto real_labels = torch::empty(batch.size(0), dis_device).uniform_(0.8, 1.0);
      auto real_output = discriminator->forward(real);
      auto d_loss_real = torch::binary_cross_entropy(real_output, real_labels);
      d_loss_real.backward();

      // Train the discriminator with generated data.
      auto noise = torch::randn({batch.size(0), kNoise}, gen_device);
      auto fake = generator->forward(noise);
      auto fake_labels = torch::zeros(batch.size(0), dis_device);
      auto fake_output = discriminator->forward(fake.detach().to(dis_device));
      auto d_loss_fake = torch::binary_cross_entropy(fake_output, fake_labels);
      d_loss_fake.backward();
      auto d_loss = d_loss_real + d_loss_fake;
      dis_optimizer.step();

      // Train the generator.
      generator->zero_grad();
      fake_labels.fill_(1);
      fake_output = discriminator->forward(fake); // expect: device-mismatch
      auto g_loss = torch::binary_cross_entropy(fake_output, fake_labels);
      g_loss.backward();
      gen_optimizer.step();

      std::cout << "[" << epoch << "][" << ++index << "] D " << d_loss.item<float>() << " G "
                << g_loss.item<float>() << "\n";
    }
  }
  return 0;
}
