// data_parallel clones the module for the second device: Module has no clone().
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct EncoderImpl : torch::nn::Module {
  EncoderImpl() { layer = register_module("layer", torch::nn::Linear(8, 2)); }
  torch::Tensor forward(torch::Tensor x) { return layer->forward(x); }

  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Encoder);

int main() {
  std::vector<torch::Device> devices{{torch::kCUDA, 0}, {torch::kCUDA, 1}};
  Encoder encoder;
  encoder->to(devices.front());
  auto x = torch::rand({6, 8}, devices.front());
  torch::nn::parallel::data_parallel(encoder, x, devices);  // expect: module-clone
}
