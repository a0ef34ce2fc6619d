#include "net.h"

int main() {
  torch::Device device(torch::kCUDA);
  auto encoder = std::make_shared<Encoder>(4, 2);
  encoder->to(device);
  auto x = torch::rand({3, 4});
  auto output = encoder->forward(x.to(device));
  auto loss = torch::mse_loss(output, make_target(3));  // expect: device-mismatch
  loss = torch::mse_loss(output, make_target(3).to(device));
  auto again = encoder->forward(x);  // expect: device-mismatch
  return 0;
}
