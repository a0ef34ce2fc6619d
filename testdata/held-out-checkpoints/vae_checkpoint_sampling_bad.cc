#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

using placecheck::parallel::DataParallel;

struct EncoderImpl : torch::nn::Cloneable<EncoderImpl> {
  EncoderImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(10, 4)); }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(fc(x)); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Encoder);

struct DecoderImpl : torch::nn::Cloneable<DecoderImpl> {
  DecoderImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 10)); }
  torch::Tensor forward(torch::Tensor z) { return torch::sigmoid(fc(z)); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Decoder);

struct Checkpoint {
  std::string path;

  template <typename E, typename D>
  void write(const E& encoder, const D& decoder) const {
    torch::serialize::OutputArchive root, e, d;
    encoder->save(e);
    decoder->save(d);
    root.write("encoder", e);
    root.write("decoder", d);
    root.save_to(path);
  }

  template <typename E, typename D>
  void read(E& encoder, D& decoder, torch::Device device) const {
    torch::serialize::InputArchive root, e, d;
    root.load_from(path, device);
    root.read("encoder", e);
    encoder->load(e);
    root.read("decoder", d);
    decoder->load(d); // expect: state-dict-prefix
  }
};

int main() {
  torch::manual_seed(30);
  const Checkpoint checkpoint{"/tmp/vae.pt"};
  const torch::Device device("cuda:0");

  {
    Encoder encoder;
    encoder->to(device);
    auto decoder = std::make_shared<DataParallel>(Decoder());
    decoder->to(device);
    auto x = torch::rand({6, 10}, device);
    auto loss = torch::binary_cross_entropy(decoder->forward(encoder->forward(x)), x);
    std::cout << "training loss " << loss.item<float>() << "\n";
    checkpoint.write(encoder, decoder);
  }

  // Sampling: one GPU is plenty.
  Encoder encoder;
  Decoder decoder;
  checkpoint.read(encoder, decoder, device);
  encoder->eval();
  decoder->eval();
  torch::NoGradGuard no_grad;
  auto z = encoder->forward(torch::rand({2, 10}, device));
  std::cout << decoder->forward(z + 0.1 * torch::randn_like(z)).cpu() << std::endl;
  std::remove(checkpoint.path.c_str());
}
