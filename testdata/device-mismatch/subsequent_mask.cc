// The mask of the library is made on the CPU.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA, 0);
  auto options = torch::nn::TransformerEncoderLayerOptions(8, 2);
  torch::nn::TransformerEncoder encoder(
      torch::nn::TransformerEncoderOptions(torch::nn::TransformerEncoderLayer(options), 1));
  encoder->to(device);
  torch::Tensor x = torch::rand({5, 3, 8}, device);
  torch::Tensor mask = torch::nn::TransformerImpl::generate_square_subsequent_mask(5);
  encoder->forward(x, mask);  // expect: device-mismatch
}
