// Lists of which CUDA sees less than was written.
#include <torch/torch.h>

#include <cstdlib>
#include <string>

void set(const std::string& list) {
  setenv("CUDA_VISIBLE_DEVICES", list.c_str(), 1);  // expect: visible-devices
}

int main(int argc, char**) {
  if (argc == 1) setenv("CUDA_VISIBLE_DEVICES", "0;1", 1);      // expect: visible-devices
  if (argc == 2) setenv("CUDA_VISIBLE_DEVICES", "cuda:0", 1);   // expect: visible-devices
  if (argc == 3) setenv("CUDA_VISIBLE_DEVICES", "[0,1]", 1);    // expect: visible-devices
  if (argc == 4) setenv("CUDA_VISIBLE_DEVICES", "all", 1);      // expect: visible-devices
  if (argc == 5) setenv("CUDA_VISIBLE_DEVICES", "0,0", 1);      // expect: visible-devices
  if (argc == 6) setenv("CUDA_VISIBLE_DEVICES", "0,,1", 1);     // expect: visible-devices
  if (argc == 7) setenv("CUDA_VISIBLE_DEVICES", "0 1", 1);      // expect: visible-devices
  if (argc == 8) setenv("CUDA_VISIBLE_DEVICES", "gpu0,gpu1", 1);  // expect: visible-devices
  if (argc == 9) set("0:1");
}
// arguments: 0 1 2 3 4 5 6 7 8
