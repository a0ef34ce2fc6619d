// Each thread has a model and an input of its own, on a card of its own.
#include <torch/torch.h>

#include <thread>
#include <vector>

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
  torch::Tensor output = net->forward(torch::rand({4, 10}).to(device));
}

int main() {
  std::vector<std::thread> threads;
  for (int card = 0; card < 2; ++card) threads.emplace_back(work, card);
  for (std::thread& thread : threads) thread.join();
}
