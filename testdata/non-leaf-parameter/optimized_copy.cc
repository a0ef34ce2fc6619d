// An image is painted by gradient descent, and is moved after it was told to take a gradient.
#include <torch/torch.h>

#include <vector>

torch::Tensor start(torch::Device device) {
  torch::Tensor image = torch::rand({1, 3, 8, 8}).requires_grad_(true);
  return image.to(device);
}

int main() {
  torch::Device device(torch::kCUDA, 0);
  torch::Tensor wanted = torch::rand({1, 3, 8, 8}, device);
  torch::Tensor image = start(device);
  std::vector<torch::Tensor> trained{image};
  torch::optim::Adam optimizer(trained, 0.1);  // expect: non-leaf-parameter
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    torch::mse_loss(image, wanted).backward();
    optimizer.step();
  }
}
