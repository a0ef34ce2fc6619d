// Weights of another card's net, loaded onto the first card of the list; or moved there afterwards.
#include <torch/torch.h>

#include <memory>
#include <string>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(7, 3)); }
  torch::Tensor forward(torch::Tensor x) { return fc(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

const std::string kPretrained = "pretrained.pt";

void pretrain(const torch::Device& card) {
  Net net;
  net->to(card);
  net->forward(torch::rand({4, 7}, card)).sum().backward();
  torch::save(net, kPretrained);
}

torch::Tensor onto_the_first(const torch::Device& first, const torch::Device& second) {
  Net net;
  net->to(first);
  torch::load(net, kPretrained, first);
  DataParallel parallel(net, DeviceIds{first, second});
  return parallel.forward(torch::rand({4, 7}));
}

torch::Tensor moved_afterwards(const torch::Device& first, const torch::Device& second) {
  Net net;
  DataParallel parallel(net, DeviceIds{first, second});
  torch::load(net, kPretrained);
  parallel.to(first);
  return parallel.forward(torch::rand({4, 7}));
}

int main() {
  const torch::Device first(torch::kCUDA, 0), second(torch::kCUDA, 1);
  pretrain(torch::Device(torch::kCUDA, 3));
  torch::Tensor a = onto_the_first(first, second);
  torch::Tensor b = moved_afterwards(first, second);
}
