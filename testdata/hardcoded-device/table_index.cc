// Positions, one-hot targets and scales: three things that forwards like to make.
#include <torch/torch.h>

struct EncoderImpl : torch::nn::Module {
  EncoderImpl() { table = register_module("table", torch::nn::Embedding(32, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    auto positions = torch::arange(0, 6).unsqueeze(0).repeat({2, 1});
    auto embedded = table->forward(positions);  // expect: hardcoded-device
    return x + embedded;
  }
  torch::nn::Embedding table{nullptr};
};
TORCH_MODULE(Encoder);

struct ScaledImpl : torch::nn::Module {
  ScaledImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    auto scale = torch::tensor({1.0, 2.0, 3.0, 4.0});
    return fc->forward(x) * scale;  // expect: hardcoded-device
  }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Scaled);

int main() {
  torch::Device device(torch::kCUDA);
  Encoder encoder;
  encoder->to(device);
  auto y = encoder->forward(torch::rand({2, 6, 4}, device));
  Scaled scaled;
  scaled->to(device);
  y = scaled->forward(torch::rand({2, 4}, device));
}
