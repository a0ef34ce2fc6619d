// What is made in a loop is several things: one of them may be elsewhere than the others.
#include <torch/torch.h>

#include <vector>

int main(int argc, char**) {
  std::vector<torch::nn::Linear> nets;
  for (int i = 0; i < 4; ++i) nets.push_back(torch::nn::Linear(4, 4));
  nets[0]->to(torch::kCUDA);
  auto y = nets[1]->forward(torch::rand({2, 4}));
  std::vector<torch::nn::Linear> cells;
  for (int i = 0; i < argc + 40; ++i) cells.push_back(torch::nn::Linear(4, 4));
  cells[0]->to(torch::kCUDA);
  auto z = cells[1]->forward(torch::rand({2, 4}));
}
