// The head is replaced for another task after the optimizer was made of the whole network.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  explicit NetImpl(int64_t classes)
      : body(register_module("body", torch::nn::Linear(8, 16))),
        head(register_module("head", torch::nn::Linear(16, classes))) {}
  torch::Tensor forward(torch::Tensor x) { return head(torch::relu(body(x))); }
  void reset_head(int64_t classes) {
    head = replace_module("head", torch::nn::Linear(16, classes));
  }
  torch::nn::Linear body{nullptr}, head{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net(10);
  torch::optim::SGD optimizer(net->parameters(), 0.1);  // expect: stale-optimizer
  net->reset_head(2);
  net->to(torch::kCUDA);
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    net(torch::rand({4, 8}, torch::kCUDA)).sum().backward();
    optimizer.step();
  }
}
