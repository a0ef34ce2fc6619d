// devices: 1
// With --devices=1: the second card, through a helper, a member and a list.
#include <torch/torch.h>

#include <memory>
#include <vector>

#include "runtime/torch/data_parallel.h"

torch::Device card(int index) {
  return torch::Device(torch::kCUDA, index);  // expect: invalid-device
}

struct Stages {
  torch::Device first{torch::kCUDA, 0};
  torch::Device second{torch::kCUDA, 1};  // expect: invalid-device
  torch::nn::Linear a{2, 2}, b{2, 2};
  void place() {
    a->to(first);
    b->to(second);
  }
};

int main() {
  auto x = torch::rand({2}).to(card(0));
  auto y = torch::rand({2}).to(card(1));
  Stages stages;
  stages.place();
  torch::nn::Linear net(2, 2);
  net->to(torch::Device("cuda:0"));
  auto parallel = std::make_shared<placecheck::parallel::DataParallel>(
      net, placecheck::parallel::DeviceIds{torch::Device("cuda:0"),
                                           torch::Device("cuda:1")});  // expect: invalid-device
  auto output = parallel->forward(torch::rand({4, 2}));
}
