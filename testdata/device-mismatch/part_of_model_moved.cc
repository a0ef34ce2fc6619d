// One of two networks of an autoencoder is moved.
#include <torch/torch.h>

struct AutoencoderImpl : torch::nn::Module {
  AutoencoderImpl() {
    encoder = register_module("encoder", torch::nn::Linear(8, 2));
    decoder = register_module("decoder", torch::nn::Linear(2, 8));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto code = torch::relu(encoder(x));
    return decoder(code);  // expect: device-mismatch
  }
  torch::nn::Linear encoder{nullptr}, decoder{nullptr};
};
TORCH_MODULE(Autoencoder);

int main() {
  Autoencoder net;
  net->encoder->to(torch::kCUDA);
  auto x = torch::rand({4, 8}, torch::kCUDA);
  auto y = net->forward(x);
  return 0;
}
