// Moved where the input is, or only where it is on a card.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    auto mask = torch::ones({2, 4});
    if (x.is_cuda()) mask = mask.cuda();
    auto bias = torch::zeros({4});
    if (bias.device() != x.device()) bias = bias.to(x.device());
    return fc->forward(x) * mask + bias;
  }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  auto y = net->forward(torch::rand({2, 4}));
  net->to(torch::kCUDA);
  y = net->forward(torch::rand({2, 4}, torch::kCUDA));
}
