// Generic functions save and load whatever they are given.
#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct AutoencoderImpl : torch::nn::Module {
  AutoencoderImpl()
      : encoder(register_module("encoder", torch::nn::Linear(12, 3))),
        decoder(register_module("decoder", torch::nn::Linear(3, 12))) {}
  torch::Tensor forward(torch::Tensor x) { return decoder(torch::tanh(encoder(x))); }

  torch::nn::Linear encoder, decoder;
};
TORCH_MODULE(Autoencoder);

template <typename Model>
void save_checkpoint(const Model& model, const std::string& path) {
  std::cout << "saving " << path << '\n';
  torch::save(model, path);
}

template <typename Model>
Model load_checkpoint(Model model, const std::string& path) {
  torch::load(model, path);  // expect: state-dict-prefix
  model->eval();
  return model;
}

int main() {
  Autoencoder trained;
  auto parallel = std::make_shared<DataParallel>(trained);
  save_checkpoint(parallel, "autoencoder.pt");
  Autoencoder restored = load_checkpoint(Autoencoder(), "autoencoder.pt");
  torch::Tensor codes = restored->encoder(torch::rand({2, 12}));
}
