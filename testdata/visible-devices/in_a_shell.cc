// A shell's variables end with the shell.
#include <torch/torch.h>

#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  std::system("export CUDA_VISIBLE_DEVICES=0");  // expect: visible-devices
  if (std::getenv("CUDA_VISIBLE_DEVICES") == nullptr) TORCH_WARN("not set here");  // shows: visible-devices
  system("CUDA_VISIBLE_DEVICES=1");              // expect: visible-devices
  if (std::getenv("CUDA_VISIBLE_DEVICES") == nullptr) TORCH_WARN("not set here");  // shows: visible-devices
  std::system(("export CUDA_VISIBLE_DEVICES=" + std::string(argv[argc - 1])).c_str());  // expect: visible-devices
  if (std::getenv("CUDA_VISIBLE_DEVICES") == nullptr) TORCH_WARN("not set here");  // shows: visible-devices
  std::system("set CUDA_VISIBLE_DEVICES=2");     // expect: visible-devices
  if (std::getenv("CUDA_VISIBLE_DEVICES") == nullptr) TORCH_WARN("not set here");  // shows: visible-devices
  auto x = torch::rand({2}, torch::kCUDA);
}
