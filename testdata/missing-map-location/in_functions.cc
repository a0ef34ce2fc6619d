// The move, the load and the use are each in a function of their own.
#include <torch/torch.h>

#include <string>

void place(torch::nn::Sequential& net, torch::Device device) { net->to(device); }

void restore(torch::nn::Sequential& net, const std::string& path) {
  torch::load(net, path);  // expect: missing-map-location
}

torch::Tensor classify(torch::nn::Sequential& net, torch::Tensor image, torch::Device device) {
  return net->forward(image.to(device));
}

int main(int argc, char** argv) {
  torch::nn::Sequential trained(torch::nn::Linear(4, 4), torch::nn::ReLU(), torch::nn::Linear(4, 2));
  torch::save(trained, argv[argc - 1]);
  torch::Device device("cuda:0");
  torch::nn::Sequential net(torch::nn::Linear(4, 4), torch::nn::ReLU(), torch::nn::Linear(4, 2));
  place(net, device);
  restore(net, argv[argc - 1]);
  auto y = classify(net, torch::rand({1, 4}), device);
}
