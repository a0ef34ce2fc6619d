// Memory of the host, wrapped as a tensor, is on the CPU.
#include <torch/torch.h>

#include <vector>

int main() {
  std::vector<float> pixels(3 * 8 * 8, 0.5f);
  torch::nn::Conv2d conv(torch::nn::Conv2dOptions(3, 4, 3));
  conv->to(torch::kCUDA);
  auto image = torch::from_blob(pixels.data(), {1, 3, 8, 8});
  auto good = conv->forward(image.clone().to(torch::kCUDA));
  auto bad = conv->forward(image.clone());  // expect: device-mismatch
  return 0;
}
