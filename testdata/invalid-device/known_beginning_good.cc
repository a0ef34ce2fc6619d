// Questions about the letters of a text that is known have one answer.
#include <torch/torch.h>

#include <string>

struct Config {
  std::string accelerator = "gpu";
};

torch::Device resolve(const Config& config) {
  if (!torch::cuda::is_available()) return torch::kCPU;
  if (config.accelerator.rfind("gpu", 0) == 0)
    return torch::Device("cuda" + config.accelerator.substr(3));
  return torch::Device(config.accelerator);
}

int main() {
  Config config;
  torch::Tensor x = torch::rand({2, 3}, resolve(config));
  if (config.accelerator.find("gpu") == std::string::npos) x = x.to(config.accelerator);
  if (config.accelerator.compare("gpu") != 0) x = x.to(config.accelerator);
}
