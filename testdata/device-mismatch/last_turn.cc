// What is done on a loop's last turn only is not met by a next one.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

void back_unless_last(Net& net, int epochs, torch::Device device) {
  net->to(device);
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    auto x = torch::rand({3, 4}).to(device);
    net->forward(x);
    net->to(torch::kCPU);
    if (epoch != epochs) net->to(device);
  }
}

void away_at_last(Net& net, int epochs, torch::Device device) {
  net->to(device);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    bool last = epoch + 1 == epochs;
    auto x = torch::rand({3, 4}).to(device);
    net->forward(x);
    if (last) net->to(torch::kCPU);
  }
}

void away_at_end_of_countdown(Net& net, torch::Device device) {
  net->to(device);
  for (int left = 10; left > 0; --left) {
    auto x = torch::rand({3, 4}).to(device);
    net->forward(x);
    if (left < 2) net->to(torch::kCPU);
  }
}

void away_now_and_then(Net& net, int epochs, torch::Device device) {
  net->to(device);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    auto x = torch::rand({3, 4}).to(device);
    net->forward(x);  // expect: device-mismatch
    if (epoch % 2 == 0) net->to(torch::kCPU);
  }
}

int main() {
  torch::Device device(torch::kCUDA);
  Net net;
  back_unless_last(net, 5, device);
  away_at_last(net, 5, device);
  away_at_end_of_countdown(net, device);
  away_now_and_then(net, 5, device);
  return 0;
}
