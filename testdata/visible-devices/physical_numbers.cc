// The visible devices are counted from 0, whatever their numbers were in the list.
#include <torch/torch.h>

#include <cstdlib>
#include <memory>

#include "runtime/torch/data_parallel.h"

struct Config {
  torch::Device device{"cuda:3"};  // expect: visible-devices
};

int main() {
  setenv("CUDA_VISIBLE_DEVICES", "2,3", 1);
  torch::nn::Linear net(2, 2);
  net->to(torch::Device("cuda:2"));  // expect: visible-devices
  Config config;
  auto x = torch::rand({2}, config.device);
  auto y = torch::rand({2}, torch::Device(torch::kCUDA, 5));  // expect: invalid-device
  auto z = torch::rand({2}, torch::Device("cuda:1"));
}
