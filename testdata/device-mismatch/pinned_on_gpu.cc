// Memory of the host is pinned, before it is copied to a GPU.
#include <torch/torch.h>

torch::Tensor finish(const torch::Tensor& batch, bool pins) {
  return pins ? batch.pin_memory() : batch;  // expect: device-mismatch
}

int main() {
  finish(torch::rand({4}), true);
  finish(torch::rand({4}).to(torch::Device("cuda:0")), true);
}
