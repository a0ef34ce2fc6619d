// The input is moved to a literal card, the module is not there.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    x = x.cuda();
    return fc->forward(x);  // expect: hardcoded-device
  }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  auto y = net->forward(torch::rand({2, 4}));
}
