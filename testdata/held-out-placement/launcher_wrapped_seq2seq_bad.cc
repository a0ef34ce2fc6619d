#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <string>

// Command-line wrapper of the experiment: the launcher's defaults first, then the experiment's own.

namespace launcher {

void apply_defaults() {
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);
  setenv("OMP_NUM_THREADS", "1", 0);
}

}  // namespace launcher

namespace experiment {

struct Config {
  std::string gpus = "0,1";
  int64_t encoder_gpu = 0;
  int64_t decoder_gpu = 1;
};

class Seq2Seq {
 public:
  explicit Seq2Seq(const Config& config)
      : encoder_device(torch::kCUDA, config.encoder_gpu),
        decoder_device(torch::kCUDA, config.decoder_gpu), // expect: invalid-device
        encoder(6, 10),
        decoder(10, 6) {
    encoder->to(encoder_device);
    decoder->to(decoder_device);
  }

  torch::Tensor operator()(const torch::Tensor& x) {
    auto code = torch::tanh(encoder(x.to(encoder_device)));
    return decoder(code.to(decoder_device));
  }

  torch::Device encoder_device, decoder_device;
  torch::nn::Linear encoder, decoder;
};

int run(const Config& config) {
  setenv("CUDA_VISIBLE_DEVICES", config.gpus.c_str(), 0); // expect: visible-devices
  Seq2Seq model(config);
  auto x = torch::randn({5, 6});
  torch::NoGradGuard no_grad;
  auto y = model(x);
  std::cout << "reconstruction error " << (y.cpu() - x).norm().item<float>() << "\n";
  return 0;
}

}  // namespace experiment

int main() {
  launcher::apply_defaults();
  torch::manual_seed(1);
  experiment::Config config;
  return experiment::run(config);
}
