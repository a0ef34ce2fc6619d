// A 0-dim tensor of the CPU may be read by an operation on the GPU, but not be written by it.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear model(4, 3);
  model->to(device);
  auto total = torch::zeros({});
  for (int step = 0; step < 3; ++step) {
    auto loss = model->forward(torch::rand({8, 4}, device)).pow(2).mean().detach();
    total += loss;  // expect: device-mismatch
  }
  auto count = torch::tensor(0.0f);
  auto norm = torch::rand({4}, device).norm();
  count.add_(norm);                   // expect: device-mismatch
  torch::mul_out(count, norm, norm);  // expect: device-mismatch
}
