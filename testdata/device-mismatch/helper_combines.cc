// The operation is in a helper, the places are decided by its callers: one finding, at the operation.
#include <torch/torch.h>

torch::Tensor score(const torch::Tensor& output, const torch::Tensor& target) {
  auto difference = output - target;  // expect: device-mismatch
  return difference.pow(2).mean();
}

torch::Tensor distance(const torch::Tensor& a, const torch::Tensor& b) { return (a - b).norm(); }

int main() {
  torch::Device device("cuda:0");
  auto output = torch::rand({4, 2}).to(device);
  auto target = torch::rand({4, 2});
  auto both_on_card = distance(output, target.to(device));
  auto both_on_host = distance(output.cpu(), target);
  auto loss = score(output, target);
  return 0;
}
