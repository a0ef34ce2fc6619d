// A literal card in a forward, in a module that is used on another one and on the host.
#include <torch/torch.h>

struct NoiseImpl : torch::nn::Module {
  NoiseImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    auto noise = torch::randn({2, 4}, torch::Device("cuda:0"));
    return fc->forward(x) + noise;  // expect: hardcoded-device
  }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Noise);

int main() {
  Noise host;
  auto y = host->forward(torch::rand({2, 4}));
  torch::Device second("cuda:1");
  Noise card;
  card->to(second);
  y = card->forward(torch::rand({2, 4}, second));
  Noise right;
  right->to(torch::Device("cuda:0"));
  y = right->forward(torch::rand({2, 4}, torch::Device("cuda:0")));
}
