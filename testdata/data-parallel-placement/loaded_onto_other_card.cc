// Weights that another card's net left in a file take the net to that card.
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
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  net->forward(torch::rand({4, 7}, card)).sum().backward();
  optimizer.step();
  torch::save(net, kPretrained);
}

torch::Tensor fine_tune(const torch::Device& first, const torch::Device& second) {
  Net net;
  net->to(first);
  torch::load(net, kPretrained);
  DataParallel parallel(net, DeviceIds{first, second});
  return parallel.forward(torch::rand({4, 7}));  // expect: data-parallel-placement
}

int main() {
  pretrain(torch::Device(torch::kCUDA, 3));
  torch::Tensor output = fine_tune(torch::Device(torch::kCUDA, 0), torch::Device(torch::kCUDA, 1));
}
