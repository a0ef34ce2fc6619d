// devices: 2
// The same on a machine with two cards: they are numbered from 0.
#include <c10/cuda/CUDAFunctions.h>
#include <torch/torch.h>

#include <iostream>

void last_card() {
  auto last = torch::Device(torch::kCUDA, 2);  // expect: invalid-device
  auto x = torch::zeros({2}, last);
  std::cout << x.device() << '\n';
}

void current_card() {
  c10::cuda::set_device(2);  // expect: invalid-device
}

void mixed_cards() {
  c10::cuda::set_device(1);
  auto on_current = torch::rand({2}, torch::kCUDA);
  auto on_first = torch::rand({2}, torch::Device("cuda:0"));
  std::cout << on_current + on_first << '\n';  // expect: device-mismatch
}

int main(int argc, char**) {
  if (argc > 2) last_card();
  if (argc > 1) current_card();
  mixed_cards();
}
// arguments: 1 2
