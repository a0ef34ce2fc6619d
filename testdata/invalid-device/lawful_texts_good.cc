// Everything that the constructor takes.
#include <torch/torch.h>

#include <vector>

int main() {
  std::vector<torch::Device> devices = {
      torch::Device("cpu"),  torch::Device("cuda"),    torch::Device("cuda:0"),
      torch::Device("mps"),  torch::Device("xpu:1"),   torch::Device("meta"),
      torch::Device("hip"),  torch::Device("cuda:10"), torch::Device("cpu:0"),
      torch::Device("npu:0")};
  auto x = torch::rand({2}).to(torch::Device(torch::kCUDA, 0));
  auto y = torch::rand({2}, torch::device({torch::kCUDA, 1}));
  auto z = torch::rand({2}).to("cuda:1");
}
