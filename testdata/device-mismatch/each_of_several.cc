// What a loop does to each thing that another loop made, it does to all.
#include <torch/torch.h>

#include <vector>

int main() {
  std::vector<torch::nn::Linear> nets;
  for (int i = 0; i < 40; ++i) nets.push_back(torch::nn::Linear(4, 4));
  for (auto& net : nets) net->to(torch::kCUDA);
  auto y = nets[1]->forward(torch::rand({2, 4}));  // expect: device-mismatch
  std::vector<torch::nn::Linear> cells;
  for (int i = 0; i < 40; ++i) cells.push_back(torch::nn::Linear(4, 4));
  for (int i = 0; i < 40; ++i) cells[i]->to(torch::kCUDA);
  auto z = cells[1]->forward(torch::rand({2, 4}));  // expect: device-mismatch
}
