// "cuda" and a number, put together elsewhere.
#include <torch/torch.h>

#include <cstdlib>
#include <string>

struct Options {
  bool use_cuda = true;
  int card = 0;
};

Options from_environment() {
  Options options;
  if (const char* text = std::getenv("CARD")) options.card = std::atoi(text);
  return options;
}

std::string joined(const Options& options) {
  std::string name = options.use_cuda ? "cuda" : "cpu";
  if (options.use_cuda) name += std::to_string(options.card);
  return name;
}

std::string with_colon(const Options& options) {
  std::string name = "cuda";
  name += ":" + std::to_string(options.card);
  return name;
}

int main() {
  Options options = from_environment();
  torch::Device good(with_colon(options));
  torch::Device bad(joined(options));  // expect: invalid-device
}
