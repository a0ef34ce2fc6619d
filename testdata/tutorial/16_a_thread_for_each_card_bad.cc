// The net is on the thread's card, the input on the first one.
#include <torch/torch.h>

#include <thread>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    hidden = register_module("hidden", torch::nn::Linear(10, 20));
    output = register_module("output", torch::nn::Linear(20, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return output(torch::relu(hidden(x))); }

  torch::nn::Linear hidden{nullptr}, output{nullptr};
};
TORCH_MODULE(Net);

void work(int card) {
  const torch::Device device(torch::kCUDA, static_cast<torch::DeviceIndex>(card));
  Net net;
  net->to(device);
  torch::Tensor input = torch::rand({4, 10}, torch::Device("cuda:0"));
  torch::Tensor output = net->forward(input);  // expect: device-mismatch
}

int main() {
  std::thread second(work, 1);
  second.join();
}
