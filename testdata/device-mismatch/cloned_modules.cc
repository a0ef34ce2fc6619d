// A clone is where its original is, or on the device that it is asked for on.
#include <torch/torch.h>

#include <memory>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

int main() {
  torch::Device device(torch::kCUDA);
  Net net;
  net->to(device);
  auto x = torch::rand({3, 4}, device);
  Net target(std::dynamic_pointer_cast<NetImpl>(net->clone()));
  auto good = target->forward(x);
  Net on_host(std::dynamic_pointer_cast<NetImpl>(net->clone(torch::Device(torch::kCPU))));
  good = on_host->forward(torch::rand({3, 4}));
  // The input is on the device; the clone stays on the host.
  auto bad = on_host->forward(x);              // expect: device-mismatch
  bad = target->forward(torch::rand({3, 4}));  // expect: device-mismatch
  return 0;
}
