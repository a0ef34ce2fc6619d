// Too late for this process, the list is meant for the one that takes its place.
#include <torch/torch.h>
#include <unistd.h>

#include <cstdlib>

int main(int argc, char** argv) {
  if (argc > 1) return 0;
  auto x = torch::rand({2}, torch::kCUDA);
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  char done[] = "done";
  char* arguments[] = {argv[0], done, nullptr};
  return execv(argv[0], arguments);
}
