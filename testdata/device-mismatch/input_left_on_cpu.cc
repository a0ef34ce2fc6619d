// The model is on the card, its input is not.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    fc1 = register_module("fc1", torch::nn::Linear(4, 8));
    fc2 = register_module("fc2", torch::nn::Linear(8, 2));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(fc1->forward(x));
    return fc2->forward(x);
  }
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto moved = torch::rand({3, 4}).to(torch::kCUDA);
  net->forward(moved);
  auto x = torch::rand({3, 4});
  auto y = net->forward(x);  // expect: device-mismatch
  return y.size(0) == 3 ? 0 : 1;
}
