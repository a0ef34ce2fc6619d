// What a program asks about the devices before it uses them.
#include <c10/cuda/CUDAFunctions.h>
#include <torch/torch.h>

#include <iostream>

int main() {
  std::cout << "CUDA: " << torch::cuda::is_available()
            << ", devices: " << torch::cuda::device_count() << '\n';
  if (!torch::cuda::is_available()) return 0;
  torch::manual_seed(7);
  torch::cuda::manual_seed(7);
  torch::cuda::manual_seed_all(7);
  std::cout << "current: " << static_cast<int>(c10::cuda::current_device()) << '\n';
  for (size_t i = 0; i < torch::cuda::device_count(); ++i) {
    auto on_card = torch::rand({2}, torch::Device(torch::kCUDA, static_cast<int>(i)));
    std::cout << on_card.device() << '\n';
  }
  c10::cuda::set_device(1);
  auto on_second = torch::rand({2}, torch::kCUDA);
  auto beside = torch::rand({2}, torch::Device("cuda:1"));
  std::cout << (on_second + beside).device() << '\n';
}
