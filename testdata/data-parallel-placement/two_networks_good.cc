// Two networks, each on a pair of cards of its own.
#include <torch/torch.h>

#include <memory>
#include <vector>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct GeneratorImpl : torch::nn::Cloneable<GeneratorImpl> {
  GeneratorImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 16)); }
  torch::Tensor forward(torch::Tensor x) { return torch::tanh(fc(x)); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Generator);

struct DiscriminatorImpl : torch::nn::Cloneable<DiscriminatorImpl> {
  DiscriminatorImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(16, 1)); }
  torch::Tensor forward(torch::Tensor x) { return torch::sigmoid(fc(x)); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Discriminator);

template <typename Net>
struct Player {
  Player(int first, int second)
      : home(torch::kCUDA, first),
        parallel(std::make_shared<DataParallel>(net, DeviceIds{first, second})) {
    net->to(home);
  }
  torch::Tensor operator()(const torch::Tensor& x) { return parallel->forward(x); }

  Net net;
  torch::Device home;
  std::shared_ptr<DataParallel> parallel;
};

int main() {
  Player<Generator> generator(0, 1);
  Player<Discriminator> discriminator(2, 3);
  torch::Tensor real = torch::rand({8, 16}), noise = torch::randn({8, 4});
  torch::Tensor fake = generator(noise).detach();
  torch::Tensor on_real = discriminator(real);
  torch::Tensor on_fake = discriminator(fake);
  torch::Tensor loss = torch::binary_cross_entropy(on_real, torch::ones_like(on_real)) +
                       torch::binary_cross_entropy(on_fake, torch::zeros_like(on_fake));
  loss.backward();
}
