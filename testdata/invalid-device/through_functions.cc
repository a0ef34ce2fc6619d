// The text is a parameter, a default argument, a member or a result.
#include <torch/torch.h>

#include <string>

struct Config {
  std::string device = "gpu";
  int index = 0;
};

torch::Device parse(const std::string& text) {
  return torch::Device(text);  // expect: invalid-device
}

torch::Device with_default(const std::string& text = "cuda-1") {
  return torch::Device(text);  // expect: invalid-device
}

std::string chosen() { return "Cuda"; }

int main() {
  auto a = parse("nvidia");
  auto b = with_default();
  Config config;
  torch::Device c(config.device);  // expect: invalid-device
  torch::Device d(chosen());       // expect: invalid-device
}
