// The mask of the library is moved to the network.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA, 0);
  auto options = torch::nn::TransformerEncoderLayerOptions(8, 2);
  torch::nn::TransformerEncoder encoder(
      torch::nn::TransformerEncoderOptions(torch::nn::TransformerEncoderLayer(options), 1));
  encoder->to(device);
  torch::Tensor x = torch::rand({5, 3, 8}, device);
  torch::Tensor mask = torch::nn::TransformerImpl::generate_square_subsequent_mask(5).to(device);
  encoder->forward(x, mask);
}
