// What a forward makes is where its input is, or it has a single example, which is not divided.
#include <torch/torch.h>

#include <torch/nn/parallel/data_parallel.h>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  torch::nn::Linear fc{nullptr};
  torch::Tensor scale;
  NetImpl() { reset(); }
  void reset() override {
    fc = register_module("fc", torch::nn::Linear(4, 2));
    scale = register_buffer("scale", torch::ones({2}));
  }
  torch::Tensor forward(torch::Tensor x) {
    return fc->forward(x) * scale + torch::ones({2}, x.options());
  }
};
TORCH_MODULE(Net);

struct FirstOnlyImpl : torch::nn::Cloneable<FirstOnlyImpl> {
  torch::nn::Linear fc{nullptr};
  FirstOnlyImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) {
    return fc->forward(x) + torch::ones({2}, torch::kCUDA);
  }
};
TORCH_MODULE(FirstOnly);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto y = torch::nn::parallel::data_parallel(net, torch::rand({8, 4}, torch::kCUDA));
  FirstOnly first;
  first->to(torch::kCUDA);
  auto z = torch::nn::parallel::data_parallel(first, torch::rand({1, 4}, torch::kCUDA));
}
