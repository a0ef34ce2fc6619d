// Other variables may be set at any time, and another program may be given a list.
#include <torch/torch.h>

#include <cstdlib>

int main() {
  auto x = torch::rand({2}, torch::kCUDA);
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 1);
  setenv("OMP_NUM_THREADS", "4", 0);
  std::system("mkdir -p weights");
  std::system("CUDA_VISIBLE_DEVICES=1 ./evaluate");
  std::system("export CUDA_VISIBLE_DEVICES=1 && ./evaluate");
  std::system("export CUDA_VISIBLE_DEVICES=1; ./evaluate --all");
}
