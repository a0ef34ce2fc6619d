// Members that serve one call only.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    hidden_ = fc->forward(x);
    return activated();
  }
  torch::Tensor activated() { return torch::relu(hidden_); }
  torch::nn::Linear fc{nullptr};

 private:
  torch::Tensor hidden_;
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto y = torch::nn::parallel::data_parallel(net, torch::rand({8, 4}));
}
