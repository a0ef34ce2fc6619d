// Replicas of a loop that counts from one: a clone without a device is where its original is.
#include <torch/torch.h>

#include <memory>
#include <vector>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    layers = register_module("layers", torch::nn::ModuleList());
    layers->push_back(torch::nn::Linear(4, 8));
    layers->push_back(torch::nn::Linear(8, 2));
  }
  torch::Tensor forward(torch::Tensor x) {
    for (const auto& layer : *layers) x = torch::relu(layer->as<torch::nn::Linear>()->forward(x));
    return x;
  }
  torch::nn::ModuleList layers{nullptr};
};
TORCH_MODULE(Net);

std::vector<std::shared_ptr<NetImpl>> replicas_of(const Net& net, size_t count) {
  std::vector<std::shared_ptr<NetImpl>> replicas{net.ptr()};
  for (size_t i = 1; i < count; ++i)
    replicas.push_back(std::dynamic_pointer_cast<NetImpl>(net->clone()));
  return replicas;
}

int main() {
  std::vector<torch::Device> devices{{torch::kCUDA, 0}, {torch::kCUDA, 1}};
  Net net;
  net->to(devices[0]);
  auto replicas = replicas_of(net, devices.size());
  auto parts = torch::rand({8, 4}).chunk(2);
  for (size_t i = 0; i < parts.size(); ++i)
    replicas[i]->forward(parts[i].to(devices[i]));  // expect: device-mismatch
}
