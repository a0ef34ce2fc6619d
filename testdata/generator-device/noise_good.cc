// Numbers that a generator of the CPU has drawn are moved.
#include <ATen/CPUGeneratorImpl.h>
#include <torch/torch.h>

int main() {
  auto generator = at::detail::createCPUGenerator(7);
  auto noise = torch::randn({8}, generator).to(torch::kCUDA);
  auto dropped = torch::empty({8}).bernoulli_(0.5, generator);
}
