// A tensor's to() yields a new tensor; a module's moves it in place.
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
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net net;
  net->to(device);
  torch::Tensor x = torch::rand({4, 10});
  x.to(device);                       // expect: discarded-transfer
  torch::Tensor y = net->forward(x);  // expect: device-mismatch
}
