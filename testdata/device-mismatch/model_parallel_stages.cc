// A module whose halves live on two cards: its forward must move what passes between them.
#include <torch/torch.h>

struct StagesImpl : torch::nn::Module {
  StagesImpl(torch::Device a, torch::Device b) : first_device(a), second_device(b) {
    first = register_module("first", torch::nn::Linear(4, 8));
    second = register_module("second", torch::nn::Linear(8, 2));
    first->to(a);
    second->to(b);
  }
  torch::Tensor forward(torch::Tensor x) {
    auto h = torch::relu(first->forward(x.to(first_device)));
    return second->forward(h.to(second_device));
  }
  torch::Tensor forward_without_transfer(torch::Tensor x) {
    auto h = torch::relu(first->forward(x.to(first_device)));
    return second->forward(h);  // expect: device-mismatch
  }
  torch::Device first_device, second_device;
  torch::nn::Linear first{nullptr}, second{nullptr};
};
TORCH_MODULE(Stages);

int main() {
  Stages stages(torch::Device("cuda:0"), torch::Device("cuda:1"));
  auto x = torch::rand({5, 4});
  auto y = torch::rand({5, 2}, torch::Device("cuda:1"));
  auto loss = torch::mse_loss(stages->forward(x), y);
  auto wrong = stages->forward_without_transfer(x);
  return 0;
}
