// Every way of taking the device from the input or from the module.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    auto a = torch::zeros({2, 4}, x.options());
    auto b = torch::ones({2, 4}, torch::TensorOptions().device(x.device()));
    auto c = torch::rand_like(x);
    auto d = x.new_full({2, 4}, 0.5);
    auto e = torch::randn({2, 4}).to(x.device());
    auto f = torch::arange(4).to(x);
    auto g = torch::eye(4, fc->weight.device());
    auto h = torch::zeros({2, 4}).to(fc->parameters()[0].device());
    return (fc->forward(x) + a + b + c + d + e + f + h).matmul(g);
  }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

int main() {
  torch::Device device(torch::kCUDA);
  Net net;
  net->to(device);
  auto y = net->forward(torch::rand({2, 4}, device));
}
