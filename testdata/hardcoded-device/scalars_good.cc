// Numbers and tensors without dimensions mix with every device.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    auto scale = torch::tensor(0.5);
    auto offset = torch::full({}, 2.0);
    return fc->forward(x) * scale + offset + torch::ones({}) * 3;
  }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto y = net->forward(torch::rand({2, 4}, torch::kCUDA));
}
