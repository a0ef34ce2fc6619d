// A data set's transform, applied to one image before the net sees it.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(4, 2);
  net->to(device);
  torch::data::transforms::Normalize<> normalize(0.5, 0.25);
  torch::Tensor image = normalize(torch::rand({1, 4}));
  auto bad = net(image);  // expect: device-mismatch
  auto good = net(image.to(device));
}
