// Conditions of several parts: what stands behind them is reached, and what they guard is known.
#include <torch/torch.h>

#include <cassert>
#include <sstream>
#include <string>

namespace {

struct Settings {
  bool wants_cuda() const { return cuda_; }
  bool cuda_ = true;
};

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--cpu") settings.cuda_ = false;
  }
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  assert(argc > 0 && argc < 100 && argv != nullptr && "called by a shell");
  torch::Device device(torch::kCUDA);
  auto card = torch::rand({4}, device);
  auto host = torch::rand({4});

  std::istringstream text("two words");
  std::string name;
  char letter = 0;
  while (text.get(letter) && letter != ' ') name += letter;
  auto behind_loop = card + host;  // expect: device-mismatch

  if (argc > 0 && argc < 100 && !name.empty()) {
    auto inside = card * host;  // expect: device-mismatch
  }

  // The same question gets the same answer.
  Settings settings = parse(argc, argv);
  auto weight = torch::rand({4});
  auto input = torch::rand({4});
  if (settings.wants_cuda()) weight = weight.to(device);
  if (settings.wants_cuda()) input = input.to(device);
  auto alike = weight * input;
  return 0;
}
