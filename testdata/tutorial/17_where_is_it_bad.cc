// What cpu() returned is on the host; what it was called on is not.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    hidden = register_module("hidden", torch::nn::Linear(10, 20));
    output = register_module("output", torch::nn::Linear(20, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return output(torch::relu(hidden(x))); }

  torch::nn::Linear hidden{nullptr}, output{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  torch::Tensor data = torch::rand({4, 10}).cuda();
  torch::Tensor back = data.cpu();
  torch::Tensor output = net->forward(data);
  output = net->forward(back);      // expect: device-mismatch
  torch::Tensor sum = data + back;  // expect: device-mismatch
}
