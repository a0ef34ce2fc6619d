// The same writes in a module that runs by itself.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct CounterImpl : torch::nn::Cloneable<CounterImpl> {
  CounterImpl() { reset(); }
  void reset() override { seen = register_buffer("seen", torch::zeros({1})); }
  torch::Tensor forward(torch::Tensor x) {
    seen += x.size(0);
    return x;
  }
  torch::Tensor seen;
};
TORCH_MODULE(Counter);

int main() {
  Counter counter;
  auto x = counter->forward(torch::rand({8, 4}));
  torch::nn::Linear net(4, 4);
  net->to(torch::kCUDA);
  auto y = torch::nn::parallel::data_parallel(net, x);
}
