// torch::load(module, path) moves the module to the device that the file was saved from.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear trained(4, 2);
  torch::save(trained, "load_moves.pt");

  torch::nn::Linear model(4, 2);
  auto x = torch::rand({3, 4}, device);
  torch::load(model, "load_moves.pt", device);
  auto good = model->forward(x);
  torch::load(model, "load_moves.pt");
  model->to(device);
  good = model->forward(x);
  torch::load(model, "load_moves.pt");  // expect: missing-map-location
  auto bad = model->forward(x);
  return 0;
}
