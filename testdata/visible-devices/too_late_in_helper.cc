// The one function starts CUDA, the other sets the list; a constructor does as well.
#include <torch/torch.h>

#include <cstdlib>
#include <string>

torch::Device pick() { return torch::cuda::is_available() ? torch::kCUDA : torch::kCPU; }

void choose_card(const std::string& card) {
  setenv("CUDA_VISIBLE_DEVICES", card.c_str(), 1);  // expect: visible-devices
}

class Trainer {
 public:
  explicit Trainer(int card) : device_(pick()) {
    setenv("CUDA_VISIBLE_DEVICES", std::to_string(card).c_str(), 1);  // expect: visible-devices
  }
  torch::Device device_;
};

int main(int argc, char** argv) {
  torch::Device device = pick();
  choose_card(argv[argc - 1]);
  Trainer trainer(argc);
}
