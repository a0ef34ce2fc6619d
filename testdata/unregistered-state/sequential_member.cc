// A Sequential is filled in the constructor and never registered.
#include <torch/torch.h>

struct DiscriminatorImpl : torch::nn::Module {
  DiscriminatorImpl() {
    main->push_back(torch::nn::Linear(16, 8));
    main->push_back(torch::nn::LeakyReLU());
    main->push_back(torch::nn::Linear(8, 1));
  }
  torch::Tensor forward(torch::Tensor x) { return torch::sigmoid(main->forward(x)); }
  torch::nn::Sequential main;  // expect: unregistered-state
};
TORCH_MODULE(Discriminator);

int main() {
  Discriminator discriminator;
  torch::optim::Adam optimizer(discriminator->parameters(), torch::optim::AdamOptions(2e-4));
  if (discriminator->parameters().empty()) TORCH_WARN("nothing will be trained");  // shows: unregistered-state
}
