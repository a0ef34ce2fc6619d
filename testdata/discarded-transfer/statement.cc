// Tensor::to, cuda and cpu give a new tensor; as a statement they do nothing.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA);
  auto x = torch::rand({2, 2});
  auto y = torch::rand({2, 2}, device);
  x.to(device);                        // expect: discarded-transfer
  x.to(torch::kCUDA);                  // expect: discarded-transfer
  x.to(device, torch::kFloat32);       // expect: discarded-transfer
  x.to(device, torch::kFloat32, true);  // expect: discarded-transfer
  x.to(y.options());                   // expect: discarded-transfer
  x.to(y);                             // expect: discarded-transfer
  x.cuda();                            // expect: discarded-transfer
  y.cpu();                             // expect: discarded-transfer
  x = x.to(device);
  auto good = x + y;
  return 0;
}
