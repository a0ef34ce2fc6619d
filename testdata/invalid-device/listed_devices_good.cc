// The list that the program sets is long enough, hides all cards on purpose, or is not known.
#include <torch/torch.h>

#include <cstdlib>
#include <string>

void hidden() {
  torch::nn::Linear net(2, 2);
  if (torch::cuda::is_available()) net->to(torch::kCUDA);
}

int main(int argc, char** argv) {
  setenv("CUDA_VISIBLE_DEVICES", argc > 1 ? argv[1] : "4,5,6", 1);
  auto x = torch::rand({2}, torch::Device("cuda:2"));
  hidden();
}
