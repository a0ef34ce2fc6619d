// An index may be on the host, and a copy crosses devices.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    auto order = torch::randperm(2);
    auto y = fc->forward(x).index({order});
    auto out = torch::empty_like(y);
    out.copy_(torch::zeros({2, 4}));
    return y + out;
  }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto y = net->forward(torch::rand({2, 4}, torch::kCUDA));
}
