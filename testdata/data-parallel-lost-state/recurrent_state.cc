// The state of the last call is read by the next.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct CellImpl : torch::nn::Cloneable<CellImpl> {
  CellImpl() { reset(); }
  void reset() override {
    cell = register_module("cell", torch::nn::GRUCell(4, 4));
    state = torch::Tensor();
  }
  torch::Tensor forward(torch::Tensor x) {
    if (!state.defined()) state = torch::zeros_like(x);  // expect: data-parallel-lost-state
    state = cell->forward(x, state);
    return state;
  }
  torch::nn::GRUCell cell{nullptr};
  torch::Tensor state;
};
TORCH_MODULE(Cell);

int main() {
  Cell cell;
  cell->to(torch::Device("cuda:0"));
  std::vector<torch::Device> devices{torch::Device("cuda:0"), torch::Device("cuda:1")};
  auto y = torch::nn::parallel::data_parallel(cell, torch::rand({8, 4}), devices);
  if (!cell->state.defined()) TORCH_WARN("the state is lost");  // shows: data-parallel-lost-state
}
