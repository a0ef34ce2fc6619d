// A generic loader.
#include <torch/torch.h>

#include <string>

template <typename Module>
Module restored(const std::string& path, torch::Device device) {
  Module module(4, 4);
  module->to(device);
  torch::load(module, path);  // expect: missing-map-location
  return module;
}

int main() {
  torch::nn::Linear trained(4, 4);
  torch::save(trained, "linear.pt");
  torch::Device device(torch::kCUDA, 1);
  auto linear = restored<torch::nn::Linear>("linear.pt", device);
  auto y = linear->forward(torch::rand({2, 4}).to(device));
}
