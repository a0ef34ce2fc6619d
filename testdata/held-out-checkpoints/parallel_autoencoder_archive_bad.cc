#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <regex>
#include <sstream>
#include <string>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

// An autoencoder whose halves are trained with data parallelism and saved in one archive.

struct EncoderNet : torch::nn::Cloneable<EncoderNet> {
  EncoderNet() { reset(); }
  void reset() override {
    down1 = register_module("down1", torch::nn::Linear(12, 8));
    down2 = register_module("down2", torch::nn::Linear(8, 3));
  }
  torch::Tensor forward(torch::Tensor x) { return down2(torch::relu(down1(x))); }
  torch::nn::Linear down1{nullptr}, down2{nullptr};
};

struct DecoderNet : torch::nn::Cloneable<DecoderNet> {
  DecoderNet() { reset(); }
  void reset() override {
    up1 = register_module("up1", torch::nn::Linear(3, 8));
    up2 = register_module("up2", torch::nn::Linear(8, 12));
  }
  torch::Tensor forward(torch::Tensor z) { return torch::sigmoid(up2(torch::relu(up1(z)))); }
  torch::nn::Linear up1{nullptr}, up2{nullptr};
};

torch::serialize::OutputArchive dump(const torch::nn::Module& module) {
  static const std::regex prefix("^module\\.");
  torch::serialize::OutputArchive archive;
  for (const auto& p : module.named_parameters()) {
    archive.write(std::regex_replace(std::regex_replace(p.key(), prefix, ""), std::regex("\\."), "/"), p.value());
  }
  return archive;
}

torch::serialize::OutputArchive dump_raw(const torch::nn::Module& module) {
  torch::serialize::OutputArchive archive;
  for (const auto& p : module.named_parameters()) {
    archive.write(std::regex_replace(p.key(), std::regex("\\."), "/"), p.value());
  }
  return archive;
}

void restore(torch::nn::Module& module, torch::serialize::InputArchive& archive) {
  torch::NoGradGuard guard;
  for (auto& p : module.named_parameters()) {
    torch::Tensor saved;
    archive.read(std::regex_replace(p.key(), std::regex("\\."), "/"), saved); // expect-miss: missing-key
    p.value().copy_(saved);
  }
}

int main() {
  torch::manual_seed(3);
  const torch::Device cuda0("cuda:0");
  DataParallel encoder(std::make_shared<EncoderNet>(), {0, 1});
  DataParallel decoder(std::make_shared<DecoderNet>(), {0, 1});
  encoder.to(cuda0);
  decoder.to(cuda0);

  auto parameters = encoder.parameters();
  for (auto& p : decoder.parameters()) parameters.push_back(p);
  torch::optim::Adam adam(parameters, 1e-2);
  for (int step = 0; step < 3; ++step) {
    auto x = torch::rand({8, 12}, cuda0);
    adam.zero_grad();
    auto loss = torch::mse_loss(decoder.forward(encoder.forward(x)), x);
    loss.backward();
    adam.step();
    std::cout << "loss " << loss.item<float>() << "\n";
  }

  std::stringstream file;
  torch::serialize::OutputArchive out;
  auto encoder_state = dump(encoder);
  auto decoder_state = dump_raw(decoder);
  out.write("encoder", encoder_state);
  out.write("decoder", decoder_state);
  out.save_to(file);

  torch::serialize::InputArchive in, encoder_in, decoder_in;
  in.load_from(file, torch::kCPU);
  in.read("encoder", encoder_in);
  in.read("decoder", decoder_in);
  EncoderNet plain_encoder;
  DecoderNet plain_decoder;
  restore(plain_encoder, encoder_in);
  restore(plain_decoder, decoder_in);

  torch::NoGradGuard guard;
  std::cout << plain_decoder.forward(plain_encoder.forward(torch::rand({1, 12}))) << "\n";
}
