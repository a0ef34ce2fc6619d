// The state of a recurrent cell starts on the CPU.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::GRUCell cell(4, 8);
  cell->to(device);
  auto inputs = torch::rand({6, 2, 4}, device);
  auto good = torch::zeros({2, 8}, device);
  for (int64_t t = 0; t < inputs.size(0); ++t) good = cell->forward(inputs[t], good);

  auto h = torch::zeros({2, 8});
  for (int64_t t = 0; t < inputs.size(0); ++t) {
    h = cell->forward(inputs[t], h);  // expect: device-mismatch
  }
  return 0;
}
