// Buffers are placed as parameters are: a module with buffers alone has a place.
#include <torch/torch.h>

struct NormalizeImpl : torch::nn::Module {
  NormalizeImpl() {
    mean = register_buffer("mean", torch::tensor({0.4f, 0.5f, 0.6f}).view({3, 1, 1}));
    deviation = register_buffer("deviation", torch::ones({3, 1, 1}));
  }
  torch::Tensor forward(torch::Tensor x) { return (x - mean) / deviation; }
  torch::Tensor mean, deviation;
};
TORCH_MODULE(Normalize);

int main() {
  Normalize normalize;
  auto image = torch::rand({3, 8, 8});
  auto good = normalize->forward(image);
  auto bad = normalize->forward(image.cuda());  // expect: device-mismatch
  normalize->to(torch::kCUDA);
  good = normalize->forward(image.cuda());
  return 0;
}
