// Of two networks that train against each other one is moved.
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

struct Gan {
  Generator generator;
  Discriminator discriminator;
  std::shared_ptr<DataParallel> parallel_generator, parallel_discriminator;
};

void wrap(Gan& gan, const std::vector<int>& cards) {
  gan.parallel_generator = std::make_shared<DataParallel>(gan.generator, DeviceIds(cards));
  gan.parallel_discriminator = std::make_shared<DataParallel>(gan.discriminator, DeviceIds(cards));
}

torch::Tensor discriminator_loss(Gan& gan, const torch::Tensor& real, const torch::Tensor& noise) {
  torch::Tensor fake = gan.parallel_generator->forward(noise).detach();
  torch::Tensor all = torch::cat({real.to(fake.device()), fake});
  torch::Tensor scores = gan.parallel_discriminator->forward(all);  // expect: data-parallel-placement
  torch::Tensor expected = torch::zeros_like(scores);
  expected.slice(0, 0, real.size(0)).fill_(1);
  return torch::binary_cross_entropy(scores, expected);
}

int main() {
  Gan gan;
  wrap(gan, {0, 1});
  gan.parallel_generator->to(torch::Device(torch::kCUDA, 0));
  torch::Tensor real = torch::rand({8, 16}), noise = torch::randn({8, 4});
  torch::Tensor loss = discriminator_loss(gan, real, noise);
  loss.backward();
}
