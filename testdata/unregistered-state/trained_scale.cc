// A number that is to be trained is no parameter of its module: without dimensions it meets the
// others, and no optimizer knows of it.
#include <torch/torch.h>

struct ContrastiveImpl : torch::nn::Module {
  ContrastiveImpl() {
    image = register_module("image", torch::nn::Linear(4, 4));
    scale = torch::tensor(0.5, torch::dtype(torch::kFloat).requires_grad(true));
  }
  torch::Tensor forward(const torch::Tensor& x) { return image->forward(x) * scale.exp(); }

  torch::nn::Linear image{nullptr};
  torch::Tensor scale;  // expect: unregistered-state
};
TORCH_MODULE(Contrastive);

int main() {
  Contrastive model;
  model->to(torch::kCUDA);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  model->forward(torch::rand({8, 4}).cuda()).sum().backward();
  optimizer.step();
}
