// Without arguments, the options have their defaults.
#include <torch/torch.h>

#include <cstdlib>
#include <string>

struct Config {
  int gpu = 1;
  int64_t hidden = 4;
};

Config read_arguments(int argc, char** argv) {
  Config config;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option(argv[i]);
    if (option == "-g") config.gpu = std::atoi(argv[i + 1]);
    if (option == "-n") config.hidden = std::atoll(argv[i + 1]);
  }
  return config;
}

int main(int argc, char** argv) {
  const Config config = read_arguments(argc, argv);
  setenv("CUDA_VISIBLE_DEVICES", std::to_string(config.gpu).c_str(), 1);
  torch::Device device(torch::kCUDA, config.gpu);  // expect: visible-devices
  auto x = torch::rand({2, config.hidden}, device);
}
