// A tensor that requires gradients is a parameter only when it is registered as one.
#include <torch/torch.h>

struct ScaleImpl : torch::nn::Module {
  explicit ScaleImpl(int64_t n) {
    weight = register_parameter("weight", torch::ones({n}));
    bias = torch::zeros({n}, torch::requires_grad());
  }
  torch::Tensor forward(torch::Tensor x) { return x * weight + bias; }
  torch::Tensor weight;
  torch::Tensor bias;  // expect: unregistered-state
};
TORCH_MODULE(Scale);

int main() {
  Scale scale(4);
  torch::optim::SGD optimizer(scale->parameters(), 0.1);
  scale->forward(torch::rand({2, 4})).sum().backward();
  optimizer.step();
  if (!scale->bias.any().item<bool>()) TORCH_WARN("the bias was not trained");  // shows: unregistered-state
}
