// A generator of the CPU draws numbers for a tensor of a GPU.
#include <ATen/CPUGeneratorImpl.h>
#include <torch/torch.h>

int main() {
  auto generator = at::make_generator<at::CPUGeneratorImpl>(7);
  auto start = torch::randn({8}, generator);
  auto noise =
      torch::randn({8}, generator, torch::device(torch::kCUDA));  // expect: generator-device
}
