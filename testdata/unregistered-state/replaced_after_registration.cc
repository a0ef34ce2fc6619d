// A registered member is assigned anew: the module keeps, and moves, the first one.
#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net() { head = register_module("head", torch::nn::Linear(4, 10)); }
  void set_classes(int64_t classes) {
    head = torch::nn::Linear(4, classes);
  }
  void replace_head(int64_t classes) {
    head = replace_module("head", torch::nn::Linear(4, classes));
  }
  torch::Tensor forward(torch::Tensor x) { return head(x); }
  torch::nn::Linear head{nullptr};  // expect: unregistered-state
};

int main() {
  Net good;
  good.replace_head(3);
  good.to(torch::kCUDA);
  Net net;
  net.set_classes(3);
  net.to(torch::kCUDA);
  auto x = torch::rand({2, 4}, torch::kCUDA);
  auto y = good.forward(x) + net.forward(x);
}
