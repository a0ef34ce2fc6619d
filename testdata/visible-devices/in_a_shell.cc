// A shell's variables end with the shell.
#include <torch/torch.h>

#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  std::system("export CUDA_VISIBLE_DEVICES=0");  // expect: visible-devices
  system("CUDA_VISIBLE_DEVICES=1");              // expect: visible-devices
  std::system(("export CUDA_VISIBLE_DEVICES=" + std::string(argv[argc - 1])).c_str());  // expect: visible-devices
  std::system("set CUDA_VISIBLE_DEVICES=2");     // expect: visible-devices
  auto x = torch::rand({2}, torch::kCUDA);
}
