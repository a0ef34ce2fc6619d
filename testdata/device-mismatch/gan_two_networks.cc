// Two networks in one loop: the noise is made on the CPU.
#include <torch/torch.h>

struct GeneratorImpl : torch::nn::Module {
  GeneratorImpl() : fc(register_module("fc", torch::nn::Linear(8, 16))) {}
  torch::Tensor forward(torch::Tensor z) { return torch::tanh(fc(z)); }
  torch::nn::Linear fc;
};
TORCH_MODULE(Generator);

torch::nn::Sequential make_discriminator() {
  return torch::nn::Sequential(torch::nn::Linear(16, 8),
                               torch::nn::LeakyReLU(torch::nn::LeakyReLUOptions().negative_slope(0.2)),
                               torch::nn::Linear(8, 1), torch::nn::Sigmoid());
}

int main() {
  torch::Device device(torch::kCUDA);
  Generator generator;
  auto discriminator = make_discriminator();
  generator->to(device);
  discriminator->to(device);
  for (int step = 0; step < 4; ++step) {
    auto real = torch::rand({4, 16}).to(device);
    auto real_labels = torch::empty({4, 1}, device).uniform_(0.8, 1.0);
    auto d_loss = torch::binary_cross_entropy(discriminator->forward(real), real_labels);
    auto noise = torch::randn({4, 8});
    auto fake = generator->forward(noise);  // expect: device-mismatch
    auto g_loss = torch::binary_cross_entropy(discriminator->forward(fake),
                                              torch::ones({4, 1}, device));
    (d_loss + g_loss).backward();
  }
}
