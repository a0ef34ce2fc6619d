// The other functions that write the environment.
#include <torch/torch.h>

#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  char malformed[] = "CUDA_VISIBLE_DEVICES=0.1";
  putenv(malformed);  // expect: visible-devices
  auto x = torch::rand({2}).cuda();
  static char late[] = "CUDA_VISIBLE_DEVICES=1";
  putenv(late);  // expect: visible-devices
  std::string built = "CUDA_VISIBLE_DEVICES=" + std::string(argv[argc - 1]);
  putenv(const_cast<char*>(built.c_str()));  // expect: visible-devices
}
