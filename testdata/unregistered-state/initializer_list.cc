// Layers made in the initializer list, one registered afterwards.
#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net() : conv(torch::nn::Conv2dOptions(1, 4, 3)), norm(4), fc(4, 2) {
    register_module("conv", conv);
    register_module("fc", fc);
  }
  torch::Tensor forward(torch::Tensor x) { return fc(norm(conv(x)).mean({2, 3})); }
  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d norm;  // expect: unregistered-state
  torch::nn::Linear fc;
};

int main() {
  auto net = std::make_shared<Net>();
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 2; ++step) {
    optimizer.zero_grad();
    net->forward(torch::rand({2, 1, 6, 6})).sum().backward();
    optimizer.step();
  }
  if (!net->norm->bias.any().item<bool>()) TORCH_WARN("the bias was not trained");  // shows: unregistered-state
}
