// Generic functions that take a wrapper off, where there is one.
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
std::shared_ptr<torch::nn::Module> unwrapped(const Model& model) {
  return model.ptr();
}
std::shared_ptr<torch::nn::Module> unwrapped(const std::shared_ptr<DataParallel>& model) {
  return model->module();
}

template <typename Model>
void save_checkpoint(const Model& model, const std::string& path) {
  std::cout << "saving " << path << '\n';
  torch::save(unwrapped(model), path);
}

template <typename Model>
void load_checkpoint(Model& model, const std::string& path) {
  auto inner = unwrapped(model);
  torch::load(inner, path);
  inner->eval();
}

int main() {
  Autoencoder trained, restored, bare;
  auto parallel = std::make_shared<DataParallel>(trained);
  auto again = std::make_shared<DataParallel>(restored);
  save_checkpoint(parallel, "of_wrapper.pt");
  load_checkpoint(bare, "of_wrapper.pt");
  load_checkpoint(again, "of_wrapper.pt");
  save_checkpoint(bare, "of_bare.pt");
  load_checkpoint(again, "of_bare.pt");
}
