// The optimizer is made for the new head, or again for the whole network.
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

void train(Net& net, torch::optim::Optimizer& optimizer) {
  optimizer.zero_grad();
  net(torch::rand({4, 8}, torch::kCUDA)).sum().backward();
  optimizer.step();
}

int main() {
  Net net(10);
  net->to(torch::kCUDA);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  train(net, optimizer);
  net->reset_head(2);
  net->to(torch::kCUDA);
  torch::optim::Adam of_head(net->head->parameters(), torch::optim::AdamOptions(0.01));
  train(net, of_head);
  optimizer.step();
  net->reset_head(5);
  net->to(torch::kCUDA);
  torch::optim::SGD again(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  train(net, again);
}
