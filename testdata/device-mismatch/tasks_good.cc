// What tasks return is on one device before it meets.
#include <torch/torch.h>

#include <future>

torch::Tensor on_device(torch::Tensor x, int index) {
  return x.to(torch::Device(torch::kCUDA, index));
}

int main() {
  auto x = torch::rand({2, 4});
  auto first = std::async(std::launch::async, on_device, x, 0);
  auto second = std::async(std::launch::async, [&] { return on_device(x, 1); });
  auto y = first.get();
  auto sum = y + second.get().to(y.device());
}
